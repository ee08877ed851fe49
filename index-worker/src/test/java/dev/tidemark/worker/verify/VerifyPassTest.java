package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.Proof;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.Tally;
import dev.tidemark.worker.verify.Difference.Kind;
import dev.tidemark.worker.verify.VerifyReport.Basis;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class VerifyPassTest {
    private static final VerifyPass.Listener NOBODY = collector(new ArrayList<>());

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anIndexThatIsEqualToItsTableIsFoundEqual(Mode mode) throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            ProvingGround ground = filled(seed);

            VerifyReport report = ground.pass(mode, NOBODY).run();

            assertThat(report.isEqual()).as("seed %s", seed).isTrue();
            assertThat(report.rows()).isEqualTo(ground.facts().size());
            assertThat(report.indexes()).hasSize(2).allSatisfy(index -> {
                assertThat(index.digestsAgree()).isTrue();
                assertThat(index.valid()).isEqualTo(index.entries());
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void changesThatGoOnGiveNoFalseAlarm(Mode mode) throws Exception {
        for (long seed = 1; seed <= 25; seed++) {
            ProvingGround ground = filled(seed);
            ground.goOn();

            VerifyReport report = ground.pass(mode, NOBODY).run();

            assertThat(report.isEqual()).as("seed %s: %s", seed, report).isTrue();
        }
    }

    @Test
    void aPassHoldsNoMoreThanThereIsMemoryForAndStillNamesEveryRow() throws Exception {
        ProvingGround ground = new ProvingGround(1);
        for (int id = 0; id < 4_000; id++) {
            ground.put(id, "Redmond", "n" + id);
        }
        ground.settle();
        long generation = ground.generation("by_town").id();
        for (ProvingShard shard : ground.shards()) {
            shard.entries(generation)
                    .forEach(entry -> shard.tamper(new IndexMutation.RemoveEntry(generation, entry.getKey())));
        }
        MemoryBudget.Part memory = new MemoryBudget(700 << 10).part("verification", 1);
        List<WrongRow> wrong = new ArrayList<>();

        ground.pass(Mode.FULL, memory, collector(wrong)).run();

        assertThat(wrong.stream().map(WrongRow::primaryKey).collect(Collectors.toSet()))
                .isEqualTo(ground.facts().keySet());
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void aPassForWhichThereIsNoMemoryEndsBeforeItBegins() {
        MemoryBudget.Part memory = new MemoryBudget(100 << 10).part("verification", 1);

        assertThatThrownBy(() -> filled(1).pass(Mode.FULL, memory, NOBODY).run())
                .isInstanceOf(CannotVerifyException.class)
                .hasMessageContaining("no memory left");
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void sumsShareWhatMemoryThereIs() throws Exception {
        MemoryBudget.Part memory = new MemoryBudget(64 << 20).part("verification", 1);
        try (SumRoom room = new SumRoom(memory, 16)) {
            for (int sum = 0; sum < 16; sum++) {
                room.buckets(1_000_000_000);
            }
            assertThat(memory.reserved()).isEqualTo(16 << 20);
        }
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void aTableWhoseDigestIsEqualIsNotReadByAQuickPass() throws Exception {
        ProvingGround ground = filled(4);
        ground.mark();

        VerifyReport quick = ground.pass(Mode.QUICK, NOBODY).run();
        VerifyReport full = ground.pass(Mode.FULL, NOBODY).run();

        assertThat(quick.basis()).isEqualTo(Basis.DIGESTS);
        assertThat(quick.isEqual()).isTrue();
        assertThat(quick.rows()).isEqualTo(ground.facts().size());
        assertThat(quick.indexes())
                .extracting(VerifyReport.OfGeneration::entries)
                .isEqualTo(full.indexes().stream()
                        .map(VerifyReport.OfGeneration::entries)
                        .toList());
        assertThat(full.basis()).isEqualTo(Basis.ROWS);
        assertThat(ground.streams()).isEqualTo(1);
    }

    @Test
    void aProofComparesWhatEveryRowGivesUnlessDigestsAreEqual() throws Exception {
        ProvingGround ground = filled(7);
        ground.mark();
        assertThat(ground.pass(Mode.PROOF, NOBODY).run().basis()).isEqualTo(Basis.DIGESTS);

        Map<KeyBytes, Kind> done = new HashMap<>();
        tamper(ground, done);
        VerifyReport report = ground.pass(Mode.PROOF, NOBODY).run();

        assertThat(report.basis()).isEqualTo(Basis.ROWS);
        assertThat(report.isEqual()).isFalse();
        assertThat(ground.streamedWhole()).isTrue();
    }

    @Test
    void aQuickPassReadsTheTableWhereDigestsAreNotKnownOrOlderThanItsBeginning() throws Exception {
        ProvingGround ground = filled(5);
        assertThat(ground.pass(Mode.QUICK, NOBODY).run().basis()).isEqualTo(Basis.ROWS);

        ground.mark();
        ground.put(1, "Redmond", "Ada");
        ground.settle();

        assertThat(ground.pass(Mode.QUICK, NOBODY).run().basis()).isEqualTo(Basis.ROWS);
    }

    @Test
    void anEntryThatWasChangedIsNamedAlthoughTheDigestsAreEqual() throws Exception {
        for (long seed = 1; seed <= 10; seed++) {
            ProvingGround ground = filled(seed);
            ground.mark();
            Map<KeyBytes, Kind> done = new HashMap<>();
            tamper(ground, done);

            VerifyReport report = ground.pass(Mode.QUICK, NOBODY).run();

            assertThat(report.basis()).as("seed %s", seed).isEqualTo(Basis.ROWS);
            assertThat(report.indexes().stream()
                            .mapToLong(VerifyReport.OfGeneration::total)
                            .sum())
                    .isEqualTo(done.size());
        }
    }

    @Test
    void aChangeThatNeverArrivedMakesTheDigestsDiffer() throws Exception {
        ProvingGround ground = filled(6);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        ground.put(1_000, "Bothell", "Ada");
        ground.loseOne();
        ground.mark();

        assertThat(ground.shard(row).digest(ground.generation("by_town").id()))
                .hasValueSatisfying(found -> assertThat(found.isEqual()).isFalse());
        assertThat(only(ground.pass(Mode.QUICK, NOBODY).run(), "by_town").primaryKey())
                .isEqualTo(row);
    }

    @Test
    void whatIsTamperedWithIsNamedExactly() throws Exception {
        for (long seed = 1; seed <= 25; seed++) {
            ProvingGround ground = filled(seed);
            Map<KeyBytes, Kind> done = new HashMap<>();
            for (int i = 0; i < 5; i++) {
                tamper(ground, done);
            }

            List<WrongRow> wrong = new ArrayList<>();
            VerifyReport report = ground.pass(Mode.FULL, collector(wrong)).run();

            Map<KeyBytes, Kind> named = new HashMap<>();
            report.indexes()
                    .forEach(index ->
                            index.examples().forEach(difference -> named.put(difference.entry(), difference.kind())));
            assertThat(named).as("seed %s", seed).isEqualTo(done);
            assertThat(report.indexes().stream()
                            .mapToLong(VerifyReport.OfGeneration::total)
                            .sum())
                    .isEqualTo(done.size());
            assertThat(report.indexes()).anyMatch(index -> !index.digestsAgree());
            assertThat(wrong).hasSize(done.size());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anEntryThatIsGoneIsMissing(Mode mode) throws Exception {
        ProvingGround ground = filled(1);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        KeyBytes entry = entryOf(ground, row, "by_town").getKey();
        ground.shard(row)
                .tamper(new IndexMutation.RemoveEntry(
                        ground.generation("by_town").id(), entry));

        Difference difference = only(ground.pass(mode, NOBODY).run(), "by_town");

        assertThat(difference.kind()).isEqualTo(Kind.MISSING);
        assertThat(difference.primaryKey()).isEqualTo(row);
        assertThat(difference.entry()).isEqualTo(entry);
        assertThat(difference.found()).isEmpty();
        assertThat(difference.expected()).contains(KeyBytes.EMPTY);
        assertThat(difference.version()).isEqualTo(difference.factVersion()).contains(ground.version(row));
    }

    @Test
    void anEntryThatCarriesSomethingElseIsBadlyCovered() throws Exception {
        ProvingGround ground = filled(2);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        Map.Entry<KeyBytes, KeyBytes> entry = entryOf(ground, row, "whole");
        KeyBytes other = KeyBytes.wrap("{\"id\":1000}".getBytes(UTF_8));
        ground.shard(row)
                .tamper(new IndexMutation.PutEntry(ground.generation("whole").id(), entry.getKey(), other));

        Difference difference = only(ground.pass(Mode.QUICK, NOBODY).run(), "whole");

        assertThat(difference.kind()).isEqualTo(Kind.BAD_COVERED);
        assertThat(difference.found()).contains(other);
        assertThat(difference.expected()).contains(entry.getValue());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aChangeThatNeverArrivedIsStale(Mode mode) throws Exception {
        ProvingGround ground = filled(3);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        RowVersion applied = ground.version(row);
        ground.put(1_000, "Bothell", "Ada");
        ground.loseOne();
        ground.settle();

        VerifyReport report = ground.pass(mode, NOBODY).run();

        Difference difference = only(report, "by_town");
        assertThat(difference.kind()).isEqualTo(Kind.STALE);
        assertThat(difference.version()).contains(applied);
        assertThat(difference.factVersion()).contains(ground.version(row));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aVersionThatTheWriterNeverGaveIsAhead(Mode mode) throws Exception {
        ProvingGround ground = filled(3);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        ground.forge(1_000, 99_999, "Bothell", "Ada");

        VerifyReport report = ground.pass(mode, NOBODY).run();

        assertThat(report.isEqual()).isFalse();
        Difference difference = only(report, "by_town");
        assertThat(difference.kind()).isEqualTo(Kind.AHEAD);
        assertThat(difference.primaryKey()).isEqualTo(row);
        assertThat(difference.factVersion()).contains(ground.version(row));
        assertThat(only(report, "whole").kind()).isEqualTo(Kind.AHEAD);
        assertThat(report.indexes())
                .hasSize(2)
                .allSatisfy(index -> assertThat(index.proofs().values())
                        .filteredOn(proof -> !(proof instanceof Proof.Equal))
                        .hasSize(1));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void suchAVersionIsAheadAlthoughEveryEntryIsRight(Mode mode) throws Exception {
        for (long after : List.of(1L, 99_999L)) {
            ProvingGround ground = filled(3);
            ground.put(1_000, "Redmond", "Ada");
            ground.settle();
            ground.forge(1_000, after, "Redmond", "Ada");
            // The writer's own versions pass the smaller one.
            ground.put(1_001, "Redmond", "Bob");
            ground.put(1_002, "Redmond", "Cyd");
            ground.settle();

            VerifyReport report = ground.pass(mode, NOBODY).run();

            assertThat(only(report, "by_town").kind()).isEqualTo(Kind.AHEAD);
            assertThat(only(report, "whole").kind()).isEqualTo(Kind.AHEAD);
        }
    }

    @Test
    void aForgedRowAndAForgedDeleteAreFoundToo() throws Exception {
        ProvingGround ground = filled(3);
        ground.put(1_001, "Redmond", "Bob");
        ground.settle();
        KeyBytes none = ground.forge(1_000, 99_999, "Redmond", "Ada");
        ground.forgeDelete(1_001, 99_999);
        ground.forgeDelete(1_002, 99_999);

        VerifyReport report = ground.pass(Mode.FULL, NOBODY).run();

        assertThat(report.indexes()).hasSize(2).allSatisfy(index -> {
            assertThat(index.count(Kind.MISSING)).isEqualTo(1);
            assertThat(index.count(Kind.AHEAD)).isEqualTo(2);
            assertThat(index.examples())
                    .filteredOn(example -> example.kind() == Kind.AHEAD)
                    .extracting(Difference::primaryKey)
                    .containsExactlyInAnyOrder(none, ground.key(1_002));
        });
    }

    @Test
    void repairReplacesForgedVersionsAndTrueChangesReachTheIndexAgain() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            ProvingGround ground = filled(seed);
            ground.put(1_000, "Redmond", "Ada");
            ground.put(1_001, "Redmond", "Bob");
            ground.settle();
            ground.forge(1_000, 99_999, "Kirkland", "Ada");
            ground.forgeDelete(1_001, 99_999);
            ground.forge(1_002, 99_999, "Kirkland", "Cyd");
            ground.forgeDelete(1_003, 99_999);
            ground.put(1_000, "Bothell", "Ada");
            ground.settle();
            ground.goOn();

            VerifyReport report = repaired(ground);

            assertThat(report.isEqual()).as("seed %s: %s", seed, report).isTrue();
            for (int id = 1_000; id < 1_004; id++) {
                ground.put(id, "Bothell", "now");
            }
            ground.settle();
            assertThat(ground.pass(Mode.FULL, NOBODY).run().isEqual())
                    .as("seed %s", seed)
                    .isTrue();
        }
    }

    @Test
    void aRowThatIsDeletedAgainAndAgainMeanwhileGivesNoFalseAlarm() throws Exception {
        ProvingGround ground = filled(3);
        ground.goOn();
        for (int round = 0; round < 30; round++) {
            for (int id = 0; id < 300; id += 3) {
                ground.delete(id);
            }

            VerifyReport report = ground.pass(Mode.FULL, NOBODY).run();

            assertThat(report.indexes())
                    .as("round %s", round)
                    .hasSize(2)
                    .allSatisfy(index -> assertThat(index.total()).isZero());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aRowThatWasNeverAppliedIsMissingAndADeleteThatWasNotIsDangling(Mode mode) throws Exception {
        ProvingGround ground = filled(4);
        ground.put(1_000, "Redmond", "Ada");
        ground.loseOne();
        KeyBytes second = ground.put(1_001, "Redmond", "Bob");
        ground.settle();
        ground.delete(1_001);
        ground.loseOne();
        ground.settle();

        VerifyReport report = ground.pass(mode, NOBODY).run();

        assertThat(report.indexes()).hasSize(2).allSatisfy(index -> {
            assertThat(index.count(Kind.MISSING)).isEqualTo(1);
            assertThat(index.count(Kind.DANGLING)).isEqualTo(1);
            assertThat(index.total()).isEqualTo(2);
            assertThat(index.examples())
                    .filteredOn(example -> example.kind() == Kind.DANGLING)
                    .extracting(Difference::primaryKey)
                    .containsExactly(second);
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aRowInQuarantineIsNamedAndIsNoDifferenceAndOthersAreFoundAllTheSame(Mode mode) throws Exception {
        ProvingGround ground = filled(5);
        poison(ground, 1_000, Standing.POISONED_AT);
        poison(ground, 1_001, Standing.POISONED_PAST);
        KeyBytes lost = ground.put(1_002, "Redmond", "Cyd");
        ground.loseOne();
        ground.settle();

        VerifyReport report = ground.pass(mode, NOBODY).run();

        assertThat(report.isEqual()).isFalse();
        assertThat(report.indexes()).hasSize(2).allSatisfy(index -> {
            assertThat(index.count(Kind.QUARANTINED)).isEqualTo(2);
            assertThat(index.count(Kind.MISSING)).isEqualTo(1);
            assertThat(index.total()).isEqualTo(1);
            assertThat(index.valid()).isEqualTo(index.entries());
            assertThat(index.proofs().values())
                    .filteredOn(proof -> !(proof instanceof Proof.Equal))
                    .hasSize(1);
            assertThat(index.proofs().get(ground.table().partitionOf(lost))).isInstanceOf(Proof.Different.class);
        });
    }

    @Test
    void aShardThatMissedAChangeAfterTheOneInQuarantineDiffers() throws Exception {
        ProvingGround ground = filled(5);
        poison(ground, 1_000, Standing.POISONED_AT);
        ground.put(1_000, "Bothell", "Ada");
        ground.loseOne();
        ground.settle();

        assertThat(only(ground.pass(Mode.FULL, NOBODY).run(), "by_town").kind()).isEqualTo(Kind.MISSING);
    }

    @Test
    void repairHealsARowInQuarantine() throws Exception {
        ProvingGround ground = filled(5);
        KeyBytes row = poison(ground, 1_000, Standing.POISONED_AT);
        KeyBytes unindexed = ground.put(1_001, null, "Bob");
        ground.loseOne();
        ground.shard(unindexed)
                .setState(unindexed, Optional.of(RowState.without(ground.version(unindexed), Standing.POISONED_AT)));
        ground.settle();

        assertThat(repaired(ground).isEqual()).isTrue();
        assertThat(ground.shard(row).state(row).orElseThrow().isLive()).isTrue();
        assertThat(ground.shard(unindexed).state(unindexed).orElseThrow().isLive())
                .isTrue();
    }

    /** Puts a row whose change its shard could not apply. */
    private static KeyBytes poison(ProvingGround ground, int id, Standing standing) {
        KeyBytes row = ground.put(id, "Redmond", "Ada");
        ground.loseOne();
        RowVersion known = standing == Standing.POISONED_AT ? ground.version(row) : RowVersion.NONE;
        ground.shard(row).setState(row, Optional.of(RowState.without(known, standing)));
        ground.settle();
        return row;
    }

    @Test
    void aStateThatIsWrongCountsAlthoughTheEntriesAreRight() throws Exception {
        ProvingGround ground = filled(5);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        RowState state = ground.shard(row).state(row).orElseThrow();
        ground.shard(row).setState(row, Optional.of(new RowState(state.version(), state.standing(), Map.of())));

        VerifyReport report = ground.pass(Mode.FULL, NOBODY).run();

        assertThat(report.indexes())
                .hasSize(2)
                .allSatisfy(index -> assertThat(index.count(Kind.STALE)).isEqualTo(1));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aStateInAnOlderVersionIsStaleAlthoughTheEntriesAreRight(Mode mode) throws Exception {
        ProvingGround ground = filled(5);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        RowVersion applied = ground.version(row);
        ground.put(1_000, "Redmond", "Ada");
        ground.loseOne();
        ground.settle();

        VerifyReport report = ground.pass(mode, NOBODY).run();

        for (String index : List.of("by_town", "whole")) {
            Difference difference = only(report, index);
            assertThat(difference.kind()).isEqualTo(Kind.STALE);
            assertThat(difference.primaryKey()).isEqualTo(row);
            assertThat(difference.version()).contains(applied);
        }
    }

    @Test
    void aRowThatWasMovedByHandIsStaleAndNotMissing() throws Exception {
        ProvingGround ground = filled(6);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        KeyBytes right = entryOf(ground, row, "by_town").getKey();
        ground.put(1_000, "Bothell", "Ada");
        ground.settle();
        long generation = ground.generation("by_town").id();
        KeyBytes now = entryOf(ground, row, "by_town").getKey();
        ground.shard(row)
                .tamper(
                        new IndexMutation.RemoveEntry(generation, now),
                        new IndexMutation.PutEntry(generation, right, KeyBytes.EMPTY));

        assertThat(only(ground.pass(Mode.QUICK, NOBODY).run(), "by_town").kind())
                .isEqualTo(Kind.STALE);
    }

    @Test
    void anEntryThatCannotBeReadIsDangling() throws Exception {
        ProvingGround ground = filled(7);
        KeyBytes garbage = KeyBytes.wrap(new byte[] {(byte) 0xEE, 1, 2});
        ground.shards()
                .get(2)
                .tamper(new IndexMutation.PutEntry(ground.generation("by_town").id(), garbage, KeyBytes.EMPTY));

        Difference difference = only(ground.pass(Mode.FULL, NOBODY).run(), "by_town");

        assertThat(difference.kind()).isEqualTo(Kind.DANGLING);
        assertThat(difference.entry()).isEqualTo(garbage);
        assertThat(difference.partition()).isEqualTo(2);
    }

    @Test
    void anEntryInTheWrongShardIsDanglingThere() throws Exception {
        ProvingGround ground = filled(8);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        ProvingShard wrong = ground.shards().get((ground.table().partitionOf(row) + 1) % 4);
        KeyBytes entry = entryOf(ground, row, "by_town").getKey();
        wrong.tamper(new IndexMutation.PutEntry(ground.generation("by_town").id(), entry, KeyBytes.EMPTY));

        Difference difference = only(ground.pass(Mode.FULL, NOBODY).run(), "by_town");

        assertThat(difference.kind()).isEqualTo(Kind.DANGLING);
        assertThat(difference.partition()).isEqualTo(wrong.partition());
    }

    @Test
    void allIsCountedAndTheFirstOfEachKindAreKept() throws Exception {
        ProvingGround ground = new ProvingGround(9);
        for (int id = 0; id < 2_000; id++) {
            ground.put(id, "Redmond", "n" + id);
        }
        ground.settle();
        long generation = ground.generation("by_town").id();
        for (ProvingShard shard : ground.shards()) {
            shard.entries(generation)
                    .forEach(entry -> shard.tamper(new IndexMutation.RemoveEntry(generation, entry.getKey())));
        }

        VerifyReport report = ground.pass(Mode.QUICK, NOBODY).run();

        VerifyReport.OfGeneration index = report.indexes().get(0);
        assertThat(index.count(Kind.MISSING)).isEqualTo(2_000);
        assertThat(index.entries()).isZero();
        assertThat(index.valid()).isZero();
        assertThat(index.examples()).hasSize(32);
        assertThat(report.indexes().get(1).isEqual()).isTrue();
    }

    @Test
    void repairHealsExactlyWhatWasTamperedWithWhileChangesGoOn() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            ProvingGround ground = filled(seed);
            Map<KeyBytes, Kind> done = new HashMap<>();
            for (int i = 0; i < 5; i++) {
                tamper(ground, done);
            }
            KeyBytes lost = ground.put(1_000, "Redmond", "Ada");
            ground.loseOne();
            ground.put(1_001, "Bothell", "Bob");
            ground.settle();
            ground.delete(1_001);
            ground.loseOne();
            ground.settle();
            ground.goOn();

            List<WrongRow> wrong = new ArrayList<>();
            ground.pass(Mode.FULL, collector(wrong)).run();
            Repairs repairs = new Repairs();
            for (WrongRow row : wrong) {
                repairs.add(row);
            }
            long repaired = repairs.finish();

            VerifyReport after = ground.pass(Mode.FULL, NOBODY).run();
            assertThat(repaired).as("seed %s", seed).isBetween(1L, (long) done.size() + 2);
            assertThat(after.isEqual()).as("seed %s: %s", seed, after).isTrue();
            assertThat(after.indexes()).hasSize(2).allMatch(VerifyReport.OfGeneration::digestsAgree);
            assertThat(ground.shard(lost).state(lost)).isPresent();
        }
    }

    @Test
    void aRepairOfARowThatHasChangedSinceChangesNothing() throws Exception {
        ProvingGround ground = filled(12);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.settle();
        long generation = ground.generation("by_town").id();
        ground.shard(row)
                .tamper(new IndexMutation.RemoveEntry(
                        generation, entryOf(ground, row, "by_town").getKey()));
        List<WrongRow> wrong = new ArrayList<>();
        ground.pass(Mode.FULL, collector(wrong)).run();
        ground.put(1_000, "Bothell", "Ada");
        ground.settle();
        List<Map.Entry<KeyBytes, KeyBytes>> before = ground.shard(row).entries(generation);

        Repairs repairs = new Repairs();
        repairs.add(wrong.get(0));
        repairs.finish();

        assertThat(wrong).hasSize(1);
        assertThat(ground.shard(row).entries(generation)).isEqualTo(before);
    }

    @Test
    void longStretchesOfDeletedRowsAreWorkAsWell() throws Exception {
        ProvingGround ground = new ProvingGround(9);
        for (int id = 0; id < 10_000; id++) {
            ground.put(id, null, "gone");
            ground.delete(id);
        }
        ground.put(20_000, "Redmond", "Ada");
        ground.settle();

        assertThat(ground.pass(Mode.FULL, NOBODY).run().isEqual()).isTrue();

        assertThat(ground.works()).isEqualTo(2);
    }

    @Test
    void aStreamThatBreaksOffIsNoVerdict() {
        ProvingGround ground = filled(10);
        ground.breakStreams();

        assertThatThrownBy(() -> ground.pass(Mode.FULL, NOBODY).run()).isInstanceOf(CannotVerifyException.class);
        assertThat(ground.openReaders()).isZero();
    }

    @Test
    void aShardThatDoesNotComeFarEnoughIsNoVerdict() {
        ProvingGround ground = filled(11);
        KeyBytes row = ground.put(1_000, "Redmond", "Ada");
        ground.stick();
        ground.shards().get(0).through(ground.version(row));

        assertThatThrownBy(() -> ground.pass(Mode.FULL, NOBODY).run())
                .isInstanceOf(CannotVerifyException.class)
                .hasMessageStartingWith("shard people-1 has not come as far as its table");
        assertThat(ground.openReaders()).isZero();
    }

    @Test
    void endsWithoutAVerdictWhileItWaitsWhenAnyShardIsAboutToBeClosed() {
        ProvingGround ground = filled(11);
        ground.put(1_000, "Redmond", "Ada");
        ground.stick();
        ground.shards().get(3).leave();

        assertThatThrownBy(() -> ground.pass(Mode.FULL, NOBODY).run())
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("shard people-3 is being closed");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void whatAShardKeepsInSumIsComparedAndCorrected(Mode mode) throws Exception {
        ProvingGround ground = filled(5);
        long generation = ground.generation("whole").id();
        Tally wrong = new Tally(0, 0, 0, new Digest(1, 2), Digest.EMPTY);
        ground.shards().get(2).correct(generation, wrong);

        VerifyReport report = ground.pass(mode, NOBODY).run();

        assertThat(report.isEqual()).isFalse();
        assertThat(report.indexes())
                .extracting(VerifyReport.OfGeneration::digestsAgree)
                .containsExactly(true, false);
        assertThat(report.indexes())
                .hasSize(2)
                .allSatisfy(index -> assertThat(index.total()).isZero());

        List<WrongRow> rows = new ArrayList<>();
        Repairs repairs = new Repairs();
        ground.goOn();
        ground.pass(mode, new Correcting(collector(rows), repairs)).run();

        assertThat(repairs.hasCorrected()).isTrue();
        assertThat(rows).isEmpty();
        assertThat(ground.pass(mode, NOBODY).run().isEqual()).isTrue();
    }

    @Test
    void anIndexIsNotEqualWherePartitionsWereNotCompared() throws Exception {
        ProvingGround ground = filled(5);
        ground.lose(2);

        VerifyReport report = ground.pass(Mode.FULL, NOBODY).run();

        assertThat(report.missingPartitions()).containsExactly(2);
        assertThat(report.indexes()).hasSize(2).allMatch(VerifyReport.OfGeneration::isEqual);
        assertThat(report.summary()).isEmpty();
        assertThat(report.isEqual()).isFalse();
    }

    /** Has sums corrected, and passes on the rest. */
    private record Correcting(VerifyPass.Listener others, Repairs repairs) implements VerifyPass.Listener {
        @Override
        public void differs(WrongRow row) throws InterruptedException {
            others.differs(row);
        }

        @Override
        public void miscounts(ShardWindow shard, long generation, Tally by) throws InterruptedException {
            repairs.add(shard, generation, by);
        }

        @Override
        public void passed(long rows) {
            others.passed(rows);
        }
    }

    /** What is found once rows have been put right as often as one job does. */
    private static VerifyReport repaired(ProvingGround ground) throws Exception {
        for (int round = 0; round < 3; round++) {
            List<WrongRow> wrong = new ArrayList<>();
            ground.pass(Mode.FULL, collector(wrong)).run();
            Repairs repairs = new Repairs();
            for (WrongRow row : wrong) {
                repairs.add(row);
            }
            repairs.finish();
        }
        return ground.pass(Mode.FULL, NOBODY).run();
    }

    /** Tampers with one entry that nothing was done to yet. */
    private static void tamper(ProvingGround ground, Map<KeyBytes, Kind> done) {
        ProvingShard shard = ground.shards().get(ground.random().nextInt(4));
        long generation = ground.generation(ground.random().nextBoolean() ? "by_town" : "whole")
                .id();
        List<Map.Entry<KeyBytes, KeyBytes>> entries = shard.entries(generation).stream()
                .filter(entry -> !done.containsKey(entry.getKey()))
                .toList();
        KeyBytes entry = entries.get(ground.random().nextInt(entries.size())).getKey();
        switch (ground.random().nextInt(3)) {
            case 0 -> {
                shard.tamper(new IndexMutation.RemoveEntry(generation, entry));
                done.put(entry, Kind.MISSING);
            }
            case 1 -> {
                shard.tamper(new IndexMutation.PutEntry(generation, entry, KeyBytes.wrap(new byte[] {'{', '}'})));
                done.put(entry, Kind.BAD_COVERED);
            }
            default -> {
                KeyBytes added = KeyBytes.wrap(new byte[] {(byte) 0xEE}).concat(entry);
                shard.tamper(new IndexMutation.PutEntry(generation, added, KeyBytes.EMPTY));
                done.put(added, Kind.DANGLING);
            }
        }
    }

    private static VerifyPass.Listener collector(List<WrongRow> wrong) {
        return new VerifyPass.Listener() {
            @Override
            public void differs(WrongRow row) {
                wrong.add(row);
            }

            @Override
            public void miscounts(ShardWindow shard, long generation, Tally by) {
                // The report tells.
            }

            @Override
            public void passed(long rows) {
                // Nobody looks.
            }
        };
    }

    private static ProvingGround filled(long seed) {
        ProvingGround ground = new ProvingGround(seed);
        for (int i = 0; i < 200; i++) {
            ground.change(5);
        }
        ground.settle();
        return ground;
    }

    private static Map.Entry<KeyBytes, KeyBytes> entryOf(ProvingGround ground, KeyBytes row, String index) {
        return ground.shard(row).entries(ground.generation(index).id()).stream()
                .filter(entry -> entry.getKey().toString().endsWith(row.toString()))
                .findFirst()
                .orElseThrow();
    }

    private static Difference only(VerifyReport report, String index) {
        VerifyReport.OfGeneration found = report.indexes().stream()
                .filter(one -> one.generation().definition().name().equals(index))
                .findFirst()
                .orElseThrow();
        assertThat(found.total()).as("%s", report).isEqualTo(1);
        return found.examples().get(0);
    }
}
