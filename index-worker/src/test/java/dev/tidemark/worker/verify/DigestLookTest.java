package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;

import dev.tidemark.facts.StreamedFact;
import dev.tidemark.row.RowDocument;
import dev.tidemark.worker.store.Tally;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;

class DigestLookTest {
    private static final int ROWS = 20;
    private static final int MANY = 1_000;
    private static final RowDocument OTHER = ChangeLog.document("{\"id\":1,\"town\":\"Bothell\",\"name\":\"Bob\"}");

    private final ProvingGround ground = new ProvingGround(1);
    private int waits;

    DigestLookTest() {
        for (int id = 0; id < ROWS; id++) {
            ground.put(id, "Redmond", "Ada");
        }
        ground.settle();
    }

    @Test
    void theProofOfALargeTableWaitsForDigestsThatAreNotKnownYet() throws Exception {
        assertThat(look(Mode.PROOF, ROWS, ground::mark).run())
                .hasValueSatisfying(equal -> assertThat(equal.rows()).isEqualTo(ROWS));
        assertThat(waits).isPositive();
    }

    @Test
    void theProofOfASmallerTableDoesNotWait() throws Exception {
        assertThat(look(Mode.PROOF, ROWS + 1, ground::mark).run()).isEmpty();
        assertThat(waits).isZero();
    }

    @Test
    void aQuickLookDoesNotWaitForTheFirstDigests() throws Exception {
        assertThat(look(Mode.QUICK, ROWS, ground::mark).run()).isEmpty();
        assertThat(waits).isZero();
    }

    @Test
    void provesNothingWhereDigestsDoNotComeOrDiffer() throws Exception {
        assertThat(look(Mode.PROOF, ROWS, () -> {}).run()).isEmpty();
        assertThat(waits).isPositive();

        ground.put(0, "Bothell", "Ada");
        ground.loseOne();

        assertThat(look(Mode.PROOF, ROWS, ground::mark).run()).isEmpty();
    }

    @Test
    void readsTheFactsOfASampleAndProvesNothingWhereOneOfThemDiffers() throws Exception {
        for (int id = ROWS; id < MANY; id++) {
            ground.put(id, "Redmond", "Ada");
        }
        ground.mark();

        assertThat(look(Mode.QUICK, MANY, () -> {}).run())
                .hasValueSatisfying(equal -> assertThat(equal.rows()).isEqualTo(MANY));
        assertThat(ground.found()).isBetween(1, MANY / 10);

        // Facts that nobody committed leave the digests as they were.
        ground.facts().replaceAll((key, fact) -> new StreamedFact(key, fact.version(), Optional.of(OTHER)));
        assertThat(look(Mode.QUICK, MANY, () -> {}).run()).isEmpty();
    }

    /** A look whose waiting ends at once, with something that happens meanwhile. */
    private DigestLook look(Mode mode, long manyRows, Runnable meanwhile) {
        VerifyRequest request = new VerifyRequest(
                ground.table(), List.of(ground.generation("by_town"), ground.generation("whole")), mode);
        Patience patience = new Patience() {
            @Override
            public boolean until(BooleanSupplier condition) {
                waits++;
                meanwhile.run();
                return condition.getAsBoolean();
            }

            @Override
            public void worked() {
                // There is no hurry.
            }
        };
        return new DigestLook(
                request, ground, List.copyOf(ground.shards()), 1 << 20, patience, new SilentListener(), manyRows);
    }

    private static final class SilentListener implements VerifyPass.Listener {
        @Override
        public void differs(WrongRow row) {
            throw new AssertionError("only a comparison of rows says which are wrong");
        }

        @Override
        public void miscounts(ShardWindow shard, long generation, Tally by) {
            throw new AssertionError("only a comparison of rows counts them");
        }

        @Override
        public void passed(long rows) {
            // Nobody counts them.
        }
    }
}
