package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class VerifierTest {
    private static final int ROWS = 20;

    private final VerifyFixture fixture = new VerifyFixture(1);
    private final VerifyTotals totals = new VerifyTotals();
    private final AtomicLong passed = new AtomicLong();
    private final Verifier verifier = new Verifier(
            fixture, MemoryBudget.unlimited().part("verification", 1), totals, new SettableClock(ChangeLog.at(0)));
    private final Generation byTown = fixture.generation("by_town");
    private final Generation whole = fixture.generation("whole");

    VerifierTest() {
        for (int id = 0; id < ROWS; id++) {
            fixture.put(id, "Redmond", "Ada");
        }
        fixture.settle();
    }

    @ParameterizedTest
    @EnumSource(names = {"PROOF", "FULL"})
    void everyShardLearnsWhatAComparisonCameToThatSettlesIt(Mode mode) throws Exception {
        VerifyReport report = verify(mode);

        assertThat(report.isEqual()).isTrue();
        assertThat(fixture.shards())
                .allSatisfy(shard -> assertThat(shard.verdicts())
                        .isEqualTo(Map.of(
                                byTown.id(), new VerificationResult.Equal(),
                                whole.id(), new VerificationResult.Equal())));
    }

    @Test
    void aQuickPassTellsOnlyTheShardsThatDiffer() throws Exception {
        VerifyShardFixture differing = fixture.shard(removeEntry());

        verify(Mode.QUICK);

        assertThat(fixture.shards()).hasSize(4).allSatisfy(shard -> {
            if (shard == differing) {
                assertThat(shard.verdicts())
                        .containsOnlyKeys(byTown.id())
                        .containsValue(new VerificationResult.Different("1 entries are not as the table says"));
            } else {
                assertThat(shard.verdicts()).isEmpty();
            }
        });
    }

    @Test
    void countsTheRowsLookedAtAndWhatDiffers() throws Exception {
        removeEntry();

        verify(Mode.FULL);
        verify(Mode.FULL);

        assertThat(passed).hasValue(2 * ROWS);
        assertThat(totals.rows()).isEqualTo(2 * ROWS);
        assertThat(divergence(byTown)).containsOnlyOnce(1L).containsOnly(0L, 1L);
        assertThat(divergence(whole)).hasSize(4).containsOnly(0L);
        assertThat(totals.divergence(new ShardId("films", 0), byTown.id())).isEmpty();
        assertThat(totals.repaired()).isZero();
    }

    @Test
    void countsTheRowsWhoseDigestsAreEqualAsWell() throws Exception {
        fixture.mark();

        assertThat(verify(Mode.PROOF).basis()).isEqualTo(VerifyReport.Basis.DIGESTS);

        assertThat(passed).hasValue(ROWS);
        assertThat(fixture.streams()).isZero();
    }

    @Test
    void putsNothingRightWhereNothingDiffers() throws Exception {
        JobState.Done done = repair();

        assertThat(done.repaired()).isZero();
        assertThat(done.after()).isEmpty();
        assertThat(done.latest().isEqual()).isTrue();
        assertThat(totals.rows()).isEqualTo(ROWS);
    }

    @Test
    void comparesAllRowsOnceMoreAfterSomeWerePutRight() throws Exception {
        removeEntry();

        JobState.Done done = repair();

        assertThat(done.found().isEqual()).isFalse();
        assertThat(done.repaired()).isEqualTo(1);
        assertThat(done.after())
                .hasValueSatisfying(after -> assertThat(after.isEqual()).isTrue());
        assertThat(done.latest().isEqual()).isTrue();
        assertThat(fixture.streamedWhole()).isTrue();
        assertThat(fixture.streams()).isEqualTo(2);
        assertThat(totals.repaired()).isEqualTo(1);
        assertThat(totals.rows()).isEqualTo(2 * ROWS);
        assertThat(divergence(byTown)).containsOnly(0L);
    }

    @Test
    void comparesOnceMoreAfterSumsWereCorrectedAsWell() throws Exception {
        fixture.shards().get(2).correct(whole.id(), new GenerationStats(0, 0, 0, new Digest(1, 2), Digest.EMPTY));

        JobState.Done done = repair();

        assertThat(done.found().isEqual()).isFalse();
        assertThat(done.repaired()).isZero();
        assertThat(done.after())
                .hasValueSatisfying(after -> assertThat(after.isEqual()).isTrue());
    }

    @Test
    void endsWhereAShardDoesNotPutItsRowsRight() throws Exception {
        fixture.shard(removeEntry()).refuseRepairs();

        JobState.Done done = repair();

        assertThat(done.repaired()).isZero();
        assertThat(done.after()).isEmpty();
        assertThat(done.latest().isEqual()).isFalse();
    }

    @Test
    void doesNotPutRowsRightForeverThatDifferAgain() throws Exception {
        fixture.shard(removeEntry()).idle();

        JobState.Done done = repair();

        assertThat(done.repaired()).as("one row in three rounds").isEqualTo(3);
        assertThat(done.latest().isEqual()).isFalse();
        assertThat(fixture.streams()).as("with the last look").isEqualTo(4);
    }

    @Test
    void noRoundOfAJobRests() throws Exception {
        for (int id = ROWS; id < 4_096; id++) {
            fixture.put(id, "Redmond", "Ada");
        }
        fixture.settle();
        fixture.shard(removeEntry()).idle();
        // Each of the first three rounds tells twice: after the first 4,096 rows and at the end.
        for (int untilInterrupted : new int[] {1, 7}) {
            AtomicInteger told = new AtomicInteger();
            assertThatThrownBy(() -> verifier.repair(request(Mode.FULL), List.copyOf(fixture.shards()), rows -> {
                        if (told.incrementAndGet() == untilInterrupted) {
                            Thread.currentThread().interrupt();
                        }
                    }))
                    .isInstanceOf(InterruptedException.class)
                    .hasMessage("interrupted while verifying");
        }
    }

    /** What was found of a generation in each shard. */
    private List<Long> divergence(Generation generation) {
        return fixture.shards().stream()
                .map(shard -> new ShardId(fixture.table().name(), shard.partition()))
                .map(shard -> totals.divergence(shard, generation.id()).orElseThrow())
                .toList();
    }

    /** Takes away the entry by town of a row. */
    private KeyBytes removeEntry() {
        KeyBytes row = fixture.key(7);
        KeyBytes entry = fixture.shard(row).entries(byTown.id()).stream()
                .map(Map.Entry::getKey)
                .filter(key -> EntryCheck.owner(key, byTown.definition()).equals(row))
                .findFirst()
                .orElseThrow();
        fixture.shard(row).tamper(new IndexMutation.RemoveEntry(byTown.id(), entry));
        return row;
    }

    private VerifyReport verify(Mode mode) throws Exception {
        return verifier.verify(request(mode), List.copyOf(fixture.shards()), () -> false, passed::addAndGet);
    }

    private JobState.Done repair() throws Exception {
        return verifier.repair(request(Mode.QUICK), List.copyOf(fixture.shards()), passed::addAndGet);
    }

    private VerifyRequest request(Mode mode) {
        return new VerifyRequest(fixture.table(), List.of(byTown, whole), mode);
    }
}
