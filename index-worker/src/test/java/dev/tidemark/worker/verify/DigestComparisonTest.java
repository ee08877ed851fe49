package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;

class DigestComparisonTest {
    private static final int ROWS = 20;
    private static final int MANY = 1_000;
    private static final RowDocument OTHER = ChangeLog.document("{\"id\":1,\"town\":\"Bothell\",\"name\":\"Bob\"}");

    private final VerifyFixture fixture = new VerifyFixture(1);
    private int waits;
    private boolean hadToWait;
    private boolean gaveUp;

    DigestComparisonTest() {
        for (int id = 0; id < ROWS; id++) {
            fixture.put(id, "Redmond", "Ada");
        }
        fixture.settle();
    }

    @Test
    void theProofOfALargeTableWaitsForDigestsThatAreNotKnownYet() throws Exception {
        assertThat(look(Mode.PROOF, ROWS, fixture::mark).run())
                .hasValueSatisfying(equal -> assertThat(equal.rows()).isEqualTo(ROWS));
        assertThat(waits).isPositive();
    }

    @Test
    void theProofOfASmallerTableDoesNotWait() throws Exception {
        assertThat(look(Mode.PROOF, ROWS + 1, fixture::mark).run()).isEmpty();
        assertThat(waits).isZero();
    }

    @Test
    void aQuickLookDoesNotWaitForTheFirstDigests() throws Exception {
        assertThat(look(Mode.QUICK, ROWS, fixture::mark).run()).isEmpty();
        assertThat(waits).isZero();
    }

    @Test
    void provesNothingWhereDigestsDoNotComeOrDiffer() throws Exception {
        assertThat(look(Mode.PROOF, ROWS, () -> {}).run()).isEmpty();
        assertThat(waits).isPositive();

        fixture.put(0, "Bothell", "Ada");
        fixture.loseOne();

        assertThat(look(Mode.PROOF, ROWS, fixture::mark).run()).isEmpty();
    }

    @Test
    void readsTheFactsOfASampleAndProvesNothingWhereOneOfThemDiffers() throws Exception {
        for (int id = ROWS; id < MANY; id++) {
            fixture.put(id, "Redmond", "Ada");
        }
        fixture.mark();

        assertThat(look(Mode.QUICK, MANY, () -> {}).run())
                .hasValueSatisfying(equal -> assertThat(equal.rows()).isEqualTo(MANY));
        assertThat(fixture.found()).isBetween(1, MANY / 10);

        // Facts that nobody committed leave the digests as they were.
        fixture.facts().replaceAll((key, fact) -> new StreamedFact(key, fact.version(), Optional.of(OTHER)));
        assertThat(look(Mode.QUICK, MANY, () -> {}).run()).isEmpty();
    }

    @Test
    void waitsForMarksFromAfterItsBeginning() throws Exception {
        fixture.mark();
        fixture.put(0, "Bothell", "Ada");
        fixture.settle();

        assertThat(look(Mode.PROOF, ROWS, fixture::mark).run()).isPresent();
        assertThat(hadToWait).isTrue();
        assertThat(gaveUp).isFalse();

        assertThat(look(Mode.PROOF, ROWS, () -> {}).run()).isPresent();
        assertThat(hadToWait).as("they have come").isFalse();
    }

    @Test
    void waitsForNoOtherMarkOnceOneSaysThatTheDigestsDiffer() throws Exception {
        fixture.mark();
        fixture.put(0, "Bothell", "Ada");
        fixture.settle();
        long generation = fixture.generation("by_town").id();

        assertThat(look(Mode.PROOF, ROWS, () -> fixture.shards().get(1).mark(generation, new Digest(1, 2)))
                        .run())
                .isEmpty();

        assertThat(hadToWait).isTrue();
        assertThat(gaveUp).isFalse();
    }

    @Test
    void waitsInVainWhereNoMarkComes() throws Exception {
        assertThat(look(Mode.PROOF, ROWS, () -> {}).run()).isEmpty();

        assertThat(hadToWait).isTrue();
        assertThat(gaveUp).isTrue();
    }

    @Test
    void whatIsEqualHoldsAsOfTheEarliestMark() throws Exception {
        fixture.mark();
        RowVersion earliest = fixture.shards().get(0).through();
        for (VerifyShardFixture early : fixture.shards()) {
            for (VerifyShardFixture shard : fixture.shards()) {
                shard.through(shard == early ? earliest : new RowVersion(1, earliest.sequence() + 7));
                markAsItIs(shard);
            }

            assertThat(look(Mode.PROOF, ROWS, () -> {}).run())
                    .hasValueSatisfying(
                            equal -> assertThat(equal.watermark().version()).isEqualTo(earliest));
        }
    }

    @Test
    void nothingIsProvenWhereThereIsNoShard() throws Exception {
        fixture.mark();
        fixture.shards().clear();

        assertThat(look(Mode.PROOF, ROWS, () -> {}).run()).isEmpty();
        assertThat(waits).isZero();
    }

    /** Tells a shard that its table gives just what it has. */
    private void markAsItIs(VerifyShardFixture shard) {
        try (ShardView view = shard.open()) {
            view.checkpoint()
                    .generations()
                    .forEach((id, held) -> shard.mark(id, held.tally().entriesDigest()));
        }
    }

    /** A look whose waiting ends at once, with something that happens meanwhile. */
    private DigestComparison look(Mode mode, long manyRows, Runnable meanwhile) {
        VerifyRequest request = new VerifyRequest(
                fixture.table(), List.of(fixture.generation("by_town"), fixture.generation("whole")), mode);
        Pacer patience = new Pacer() {
            @Override
            public boolean until(BooleanSupplier condition) {
                waits++;
                hadToWait = !condition.getAsBoolean();
                meanwhile.run();
                return condition.getAsBoolean() || giveUp();
            }

            private boolean giveUp() {
                gaveUp = true;
                return false;
            }

            @Override
            public void worked() {
                // There is no hurry.
            }

            @Override
            public boolean again() {
                return giveUp();
            }
        };
        return new DigestComparison(
                request, fixture, List.copyOf(fixture.shards()), 1 << 20, patience, new SilentListener(), manyRows);
    }

    private static final class SilentListener implements VerifyPass.Listener {
        @Override
        public void differs(WrongRow row) {
            throw new AssertionError("only a comparison of rows says which are wrong");
        }

        @Override
        public void miscounts(ShardWindow shard, long generation, GenerationStats by) {
            throw new AssertionError("only a comparison of rows counts them");
        }

        @Override
        public void passed(long rows) {
            // Nobody counts them.
        }
    }
}
