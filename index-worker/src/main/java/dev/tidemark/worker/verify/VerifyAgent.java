package dev.tidemark.worker.verify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

/**
 * Does one pass after another on the thread {@code verify}: what people ask for, then what waits to be proven, then
 * what differs by its digest, then what differed and does not by its digest any more, then, now and then, each table in
 * turn without being asked.
 */
public final class VerifyAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(VerifyAgent.class);

    /** The shards take note of a verdict a little later. */
    private static final Duration UNTIL_NOTED = Duration.ofMillis(200);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    private final VerifyJobs jobs;
    private final LocalGenerations held;
    private final FirstVerificationQueue proofs;
    private final DigestMismatchQueue doubts;
    private final ReverificationQueue healing;
    private final Verifier verifier;
    private final Duration verifyInterval;
    private final Clock clock;
    private final Map<String, String> told = new HashMap<>();
    private Instant nextVerification;
    private int verified;

    /**
     * An agent that has looked at nothing yet.
     *
     * @param memory for what a pass holds
     * @param verifyInterval how long after one unasked pass the next one begins; zero for never
     */
    public VerifyAgent(
            VerifyJobs jobs,
            LocalGenerations held,
            FactReader facts,
            MemoryBudget.Part memory,
            VerifyTotals totals,
            Duration verifyInterval,
            Clock clock) {
        this.jobs = jobs;
        this.held = held;
        this.proofs = new FirstVerificationQueue(held);
        this.doubts = new DigestMismatchQueue(held);
        this.healing = new ReverificationQueue(held);
        this.verifier = new Verifier(facts, memory, totals, clock);
        this.verifyInterval = verifyInterval;
        this.clock = clock;
        this.nextVerification = clock.instant().plus(verifyInterval);
    }

    @Override
    public String roleName() {
        return "verify";
    }

    @Override
    public int doWork() throws InterruptedException {
        Optional<VerifyJob> job = jobs.take();
        if (job.isPresent()) {
            run(job.get());
            return 1;
        }
        return prove() || doubt() || heal() || verifyNext() ? 1 : 0;
    }

    private void run(VerifyJob job) throws InterruptedException {
        VerifySpec order = job.order();
        Optional<DesiredTable> table = held.table(order.table());
        if (table.isEmpty()) {
            job.is(new JobState.Failed("there is no table " + order.table() + " any more"));
            return;
        }
        List<Generation> generations = held.whole(table.get(), order.index());
        List<ShardWindow> shards = windows(held.shards(table.get()));
        if (generations.isEmpty() || shards.isEmpty()) {
            job.is(new JobState.Failed("nothing of it is here that is built and open"));
            return;
        }
        VerifyRequest request = new VerifyRequest(table.get().definition(), generations, order.mode());
        LongConsumer passed = progress(job, held.rows(table.get()));
        try {
            job.is(
                    order.repair()
                            ? verifier.repair(request, shards, passed)
                            : new JobState.Done(
                                    verifier.verify(request, shards, () -> false, passed), 0, Optional.empty()));
        } catch (CannotVerifyException | RuntimeException e) {
            LOGGER.info("Job {} failed", job.id(), e);
            job.is(new JobState.Failed(String.valueOf(e.getMessage())));
        }
    }

    private static LongConsumer progress(VerifyJob job, long total) {
        AtomicLong rows = new AtomicLong();
        job.is(new JobState.Running(0, total));
        return more -> job.is(new JobState.Running(rows.addAndGet(more), total));
    }

    private boolean prove() throws InterruptedException {
        Optional<FirstVerificationQueue.Due> due = proofs.next(clock.instant());
        if (due.isPresent()) {
            boolean decided = attempt(due.get().request(), due.get().shards(), false);
            proofs.leave(due.get(), clock.instant().plus(decided ? UNTIL_NOTED : AFTER_FAILURE));
        }
        return due.isPresent();
    }

    private boolean doubt() throws InterruptedException {
        Optional<FirstVerificationQueue.Due> due = doubts.next(clock.instant());
        if (due.isPresent()) {
            VerifyRequest request = due.get().request();
            LOGGER.warn(
                    "Indexes of {} differ from it by their digests and are compared row by row: {}",
                    request.table().name(),
                    request.generations().stream()
                            .map(generation -> generation.definition().name() + " in generation " + generation.id())
                            .toList());
            attempt(request, due.get().shards(), false);
        }
        return due.isPresent();
    }

    private boolean heal() throws InterruptedException {
        Optional<FirstVerificationQueue.Due> due = healing.next(clock.instant());
        if (due.isPresent()) {
            if (attempt(due.get().request(), due.get().shards(), false)) {
                healing.compared(due.get(), clock.instant());
            } else {
                healing.leave(due.get(), clock.instant().plus(AFTER_FAILURE));
            }
        }
        return due.isPresent();
    }

    private boolean verifyNext() throws InterruptedException {
        List<DesiredTable> tables = held.tables();
        if (verifyInterval.isZero() || tables.isEmpty() || clock.instant().isBefore(nextVerification)) {
            return false;
        }
        DesiredTable table = tables.get(verified++ % tables.size());
        List<Generation> generations = held.whole(table, Optional.empty());
        List<OpenShard> shards = held.shards(table);
        if (!generations.isEmpty() && !shards.isEmpty()) {
            attempt(new VerifyRequest(table.definition(), generations, Mode.QUICK), shards, true);
        }
        nextVerification = clock.instant().plus(verifyInterval);
        return true;
    }

    private boolean attempt(VerifyRequest request, List<OpenShard> shards, boolean slow) throws InterruptedException {
        try {
            VerifyReport report = verifier.verify(request, windows(shards), () -> slow && !jobs.isWaited(), rows -> {});
            String differing = report.summary();
            if (!differing.isEmpty()) {
                LOGGER.warn(
                        "Indexes of {} differ from their table: {}",
                        request.table().name(),
                        differing);
            }
            return true;
        } catch (CannotVerifyException e) {
            tell(request.table().name(), String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOGGER.warn(
                    "A comparison of {} with its indexes failed",
                    request.table().name(),
                    e);
        }
        return false;
    }

    /** Once, because it is tried again every few seconds. */
    private void tell(String table, String why) {
        if (!why.equals(told.put(table, why))) {
            LOGGER.info("Indexes of {} cannot be compared with it now: {}", table, why);
        }
    }

    private static List<ShardWindow> windows(List<OpenShard> shards) {
        List<ShardWindow> windows = new ArrayList<>();
        shards.forEach(shard -> windows.add(new LiveWindow(shard)));
        return windows;
    }
}
