package dev.tidemark.worker.verify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

/** Runs passes: compares, reports the results to the shards, and repairs rows where that is requested. */
record Verifier(FactReader facts, MemoryBudget.Part memory, VerifyTotals totals, Clock clock) {
    /**
     * Maximum number of repair rounds in one job. A shard skips changes of a row that it holds in a version which the
     * writer never gave. The round after the repair of such a row brings the changes that were skipped in the meantime.
     */
    private static final int MOST_ROUNDS = 3;

    /**
     * Compares, and changes nothing but what the shards record about themselves.
     *
     * @param background whether the pass runs at low priority at the moment
     * @param passed receives the number of rows compared since its last call
     */
    VerifyReport verify(
            VerifyRequest request, List<ShardWindow> shards, BooleanSupplier background, LongConsumer passed)
            throws CannotVerifyException, InterruptedException {
        return pass(request, shards, background, new Repairs(totals, passed, false));
    }

    /** Compares, has the rows that differ put right, and compares again where there were any. */
    JobState.Done repair(VerifyRequest request, List<ShardWindow> shards, LongConsumer passed)
            throws CannotVerifyException, InterruptedException {
        Round first = round(request, shards, passed);
        if (!first.changed()) {
            return new JobState.Done(first.found(), 0, Optional.empty());
        }
        VerifyRequest again = new VerifyRequest(request.table(), request.generations(), Mode.FULL);
        long repaired = first.repaired();
        for (int rounds = 1; rounds < MOST_ROUNDS; rounds++) {
            Round next = round(again, shards, passed);
            repaired += next.repaired();
            if (!next.changed()) {
                return new JobState.Done(first.found(), repaired, Optional.of(next.found()));
            }
        }
        return new JobState.Done(first.found(), repaired, Optional.of(verify(again, shards, () -> false, passed)));
    }

    /** What was found wrong, how many rows were put right, and whether anything was. */
    private record Round(VerifyReport found, long repaired, boolean changed) {}

    private Round round(VerifyRequest request, List<ShardWindow> shards, LongConsumer passed)
            throws CannotVerifyException, InterruptedException {
        Repairs repairs = new Repairs(totals, passed, true);
        VerifyReport found = pass(request, shards, () -> false, repairs);
        long repaired = repairs.finish();
        totals.repaired(repaired);
        return new Round(found, repaired, repaired > 0 || repairs.hasCorrected());
    }

    private VerifyReport pass(
            VerifyRequest request, List<ShardWindow> shards, BooleanSupplier background, VerifyPass.Listener listener)
            throws CannotVerifyException, InterruptedException {
        VerifyReport report =
                new VerifyPass(request, facts, shards, memory, new BackgroundPacer(clock, background), listener).run();
        for (VerifyReport.OfGeneration index : report.indexes()) {
            for (ShardWindow shard : shards) {
                ShardId id = new ShardId(request.table().name(), shard.partition());
                totals.found(id, index.generation().id(), index.wrong().getOrDefault(shard.partition(), 0L));
                VerificationResult proof = index.proofs()
                        .getOrDefault(shard.partition(), new VerificationResult.Undecided("it was not compared"));
                // What a quick pass did not see may still be wrong.
                if (request.mode().settles() || proof instanceof VerificationResult.Different) {
                    shard.judge(index.generation().id(), proof);
                }
            }
        }
        return report;
    }

    /** Real waiting, and rests after each stretch of work as long as a pass is only in the background. */
    static final class BackgroundPacer implements Pacer {
        private static final Duration PATIENCE = Duration.ofSeconds(10);
        private static final Duration STEP = Duration.ofMillis(10);

        /** Nine parts of rest for one of work. */
        private static final int REST_PER_WORK = 9;

        /** A pass keeps its views while it rests, and a shard that is closed waits for them. */
        private static final Duration LONGEST_REST = Duration.ofSeconds(1);

        /** Between two questions to a busy writer. */
        private static final Duration BUSY_REST = Duration.ofMillis(250);

        /** Ten minutes: the writer may send large tables to others first. */
        private static final int MOST_BUSY_RESTS = 2_400;

        private final Clock clock;
        private final BooleanSupplier background;
        private Instant resumed;
        private int busyRests;

        BackgroundPacer(Clock clock, BooleanSupplier background) {
            this.clock = clock;
            this.background = background;
            this.resumed = clock.instant();
        }

        @Override
        public boolean until(BooleanSupplier condition) throws InterruptedException {
            return BoundedWait.until(condition, PATIENCE, STEP);
        }

        @Override
        public void worked() throws InterruptedException {
            if (background.getAsBoolean()) {
                Duration work = Duration.between(resumed, clock.instant());
                Duration rest = work.multipliedBy(REST_PER_WORK);
                BoundedWait.rest(rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest);
            } else if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while verifying");
            }
            resumed = clock.instant();
        }

        /** Only a pass that is waited for asks again. One in the background is begun again anyway. */
        @Override
        public boolean again() throws InterruptedException {
            boolean wanted = !background.getAsBoolean() && busyRests < MOST_BUSY_RESTS;
            if (wanted) {
                busyRests++;
                BoundedWait.rest(BUSY_REST);
            }
            return wanted;
        }
    }
}
