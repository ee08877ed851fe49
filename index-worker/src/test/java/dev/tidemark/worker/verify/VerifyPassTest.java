package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.RowDeriver;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.verify.Difference.Kind;
import dev.tidemark.worker.verify.VerifyReport.Basis;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class VerifyPassTest {
    /** Mutation testing runs every one of them for each mutant; the simulation tries many more. */
    private static final int SEEDS = 6;

    private static final VerifyPass.Listener NOBODY = collector(new ArrayList<>());

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anIndexThatIsEqualToItsTableIsFoundEqual(Mode mode) throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            VerifyFixture fixture = filled(seed);

            VerifyReport report = fixture.pass(mode, NOBODY).run();

            assertThat(report.isEqual()).as("seed %s", seed).isTrue();
            assertThat(report.rows()).isEqualTo(fixture.facts().size());
            assertThat(report.indexes()).hasSize(2).allSatisfy(index -> {
                assertThat(index.digestsAgree()).isTrue();
                assertThat(index.valid()).isEqualTo(index.entries());
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void changesThatGoOnGiveNoFalseAlarm(Mode mode) throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            VerifyFixture fixture = filled(seed);
            fixture.goOn();

            VerifyReport report = fixture.pass(mode, NOBODY).run();

            assertThat(report.isEqual()).as("seed %s: %s", seed, report).isTrue();
        }
    }

    @Test
    void aWriterThatIsBusyIsAskedAgainForAsLongAsThePassHasPatience() throws Exception {
        VerifyFixture fixture = filled(1);
        fixture.refuseStreams(3, 3);
        assertThat(fixture.pass(Mode.FULL, NOBODY).run().isEqual()).isTrue();
        assertThat(fixture.streams()).isEqualTo(1);

        fixture.refuseStreams(3, 2);
        assertThatThrownBy(fixture.pass(Mode.FULL, NOBODY)::run)
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("it sends others");
    }

    @Test
    void aPassHoldsNoMoreThanThereIsMemoryForAndStillNamesEveryRow() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        for (int id = 0; id < 4_000; id++) {
            fixture.put(id, "Redmond", "n" + id);
        }
        fixture.settle();
        long generation = fixture.generation("by_town").id();
        for (VerifyShardFixture shard : fixture.shards()) {
            shard.entries(generation)
                    .forEach(entry -> shard.tamper(new IndexMutation.RemoveEntry(generation, entry.getKey())));
        }
        MemoryBudget.Part memory = new MemoryBudget(700 << 10).part("verification", 1);
        List<WrongRow> wrong = new ArrayList<>();

        fixture.pass(Mode.FULL, memory, collector(wrong)).run();

        assertThat(wrong.stream().map(row -> row.repair().primaryKey()).collect(Collectors.toSet()))
                .isEqualTo(fixture.facts().keySet());
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void rowsThatAreInNoShardHereAreStretchesOfWorkToo() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        IntStream.range(0, 100_000)
                .filter(id -> fixture.table().partitionOf(fixture.key(id)) != 0)
                .limit(10_000)
                .forEach(id -> fixture.put(id, "Redmond", "Ada"));
        fixture.settle();
        for (int partition = 1; partition < fixture.table().partitions(); partition++) {
            fixture.lose(partition);
        }

        VerifyReport report = fixture.pass(Mode.FULL, NOBODY).run();

        assertThat(report.rows()).isZero();
        assertThat(fixture.works()).isEqualTo(10_000 / 4_096);
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
        try (DigestMemory room = new DigestMemory(memory, 16)) {
            for (int sum = 0; sum < 16; sum++) {
                room.buckets(1_000_000_000);
            }
            assertThat(memory.reserved()).isEqualTo(16 << 20);
        }
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void aTableWhoseDigestIsEqualIsNotReadByAQuickPass() throws Exception {
        VerifyFixture fixture = filled(4);
        fixture.mark();

        VerifyReport quick = fixture.pass(Mode.QUICK, NOBODY).run();
        VerifyReport full = fixture.pass(Mode.FULL, NOBODY).run();

        assertThat(quick.basis()).isEqualTo(Basis.DIGESTS);
        assertThat(quick.isEqual()).isTrue();
        assertThat(quick.rows()).isEqualTo(fixture.facts().size());
        assertThat(quick.indexes())
                .extracting(VerifyReport.OfGeneration::entries)
                .isEqualTo(full.indexes().stream()
                        .map(VerifyReport.OfGeneration::entries)
                        .toList());
        assertThat(full.basis()).isEqualTo(Basis.ROWS);
        assertThat(fixture.streams()).isEqualTo(1);
    }

    @Test
    void aProofComparesWhatEveryRowGivesUnlessDigestsAreEqual() throws Exception {
        VerifyFixture fixture = filled(7);
        fixture.mark();
        assertThat(fixture.pass(Mode.PROOF, NOBODY).run().basis()).isEqualTo(Basis.DIGESTS);

        Map<KeyBytes, Kind> done = new HashMap<>();
        tamper(fixture, done);
        VerifyReport report = fixture.pass(Mode.PROOF, NOBODY).run();

        assertThat(report.basis()).isEqualTo(Basis.ROWS);
        assertThat(report.isEqual()).isFalse();
        assertThat(fixture.streamedWhole()).isTrue();
    }

    @Test
    void aQuickPassReadsTheTableWhereDigestsAreNotKnownOrOlderThanItsBeginning() throws Exception {
        VerifyFixture fixture = filled(5);
        assertThat(fixture.pass(Mode.QUICK, NOBODY).run().basis()).isEqualTo(Basis.ROWS);

        fixture.mark();
        fixture.put(1, "Redmond", "Ada");
        fixture.settle();

        assertThat(fixture.pass(Mode.QUICK, NOBODY).run().basis()).isEqualTo(Basis.ROWS);
    }

    @Test
    void anEntryThatWasChangedIsNamedAlthoughTheDigestsAreEqual() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            VerifyFixture fixture = filled(seed);
            fixture.mark();
            Map<KeyBytes, Kind> done = new HashMap<>();
            tamper(fixture, done);

            VerifyReport report = fixture.pass(Mode.QUICK, NOBODY).run();

            assertThat(report.basis()).as("seed %s", seed).isEqualTo(Basis.ROWS);
            assertThat(report.indexes().stream()
                            .mapToLong(VerifyReport.OfGeneration::total)
                            .sum())
                    .isEqualTo(done.size());
        }
    }

    @Test
    void aChangeThatNeverArrivedMakesTheDigestsDiffer() throws Exception {
        VerifyFixture fixture = filled(6);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        fixture.put(1_000, "Bothell", "Ada");
        fixture.loseOne();
        fixture.mark();

        assertThat(fixture.shard(row).digest(fixture.generation("by_town").id()))
                .hasValueSatisfying(found -> assertThat(found.isEqual()).isFalse());
        assertThat(only(fixture.pass(Mode.QUICK, NOBODY).run(), "by_town").primaryKey())
                .isEqualTo(row);
    }

    @Test
    void whatIsTamperedWithIsNamedExactly() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            VerifyFixture fixture = filled(seed);
            Map<KeyBytes, Kind> done = new HashMap<>();
            for (int i = 0; i < 5; i++) {
                tamper(fixture, done);
            }

            List<WrongRow> wrong = new ArrayList<>();
            VerifyReport report = fixture.pass(Mode.FULL, collector(wrong)).run();

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
        VerifyFixture fixture = filled(1);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        KeyBytes entry = entryOf(fixture, row, "by_town").getKey();
        fixture.shard(row)
                .tamper(new IndexMutation.RemoveEntry(
                        fixture.generation("by_town").id(), entry));

        Difference difference = only(fixture.pass(mode, NOBODY).run(), "by_town");

        assertThat(difference.kind()).isEqualTo(Kind.MISSING);
        assertThat(difference.primaryKey()).isEqualTo(row);
        assertThat(difference.entry()).isEqualTo(entry);
        assertThat(difference.found()).isEmpty();
        assertThat(difference.expected()).contains(KeyBytes.EMPTY);
        assertThat(difference.version()).isEqualTo(difference.factVersion()).contains(fixture.version(row));
    }

    @Test
    void anEntryThatCarriesSomethingElseIsBadlyCovered() throws Exception {
        VerifyFixture fixture = filled(2);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        Map.Entry<KeyBytes, KeyBytes> entry = entryOf(fixture, row, "whole");
        KeyBytes other = KeyBytes.wrap("{\"id\":1000}".getBytes(UTF_8));
        fixture.shard(row)
                .tamper(new IndexMutation.PutEntry(fixture.generation("whole").id(), entry.getKey(), other));

        Difference difference = only(fixture.pass(Mode.QUICK, NOBODY).run(), "whole");

        assertThat(difference.kind()).isEqualTo(Kind.BAD_COVERED);
        assertThat(difference.found()).contains(other);
        assertThat(difference.expected()).contains(entry.getValue());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aChangeThatNeverArrivedIsStale(Mode mode) throws Exception {
        VerifyFixture fixture = filled(3);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        RowVersion applied = fixture.version(row);
        fixture.put(1_000, "Bothell", "Ada");
        fixture.loseOne();
        fixture.settle();

        VerifyReport report = fixture.pass(mode, NOBODY).run();

        Difference difference = only(report, "by_town");
        assertThat(difference.kind()).isEqualTo(Kind.STALE);
        assertThat(difference.version()).contains(applied);
        assertThat(difference.factVersion()).contains(fixture.version(row));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aVersionThatTheWriterNeverGaveIsAhead(Mode mode) throws Exception {
        VerifyFixture fixture = filled(3);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        fixture.forge(1_000, 99_999, "Bothell", "Ada");

        VerifyReport report = fixture.pass(mode, NOBODY).run();

        assertThat(report.isEqual()).isFalse();
        Difference difference = only(report, "by_town");
        assertThat(difference.kind()).isEqualTo(Kind.AHEAD);
        assertThat(difference.primaryKey()).isEqualTo(row);
        assertThat(difference.factVersion()).contains(fixture.version(row));
        assertThat(only(report, "whole").kind()).isEqualTo(Kind.AHEAD);
        assertThat(report.indexes())
                .hasSize(2)
                .allSatisfy(index -> assertThat(index.proofs().values())
                        .filteredOn(proof -> !(proof instanceof VerificationResult.Equal))
                        .hasSize(1));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void suchAVersionIsAheadAlthoughEveryEntryIsRight(Mode mode) throws Exception {
        for (long after : List.of(1L, 99_999L)) {
            VerifyFixture fixture = filled(3);
            fixture.put(1_000, "Redmond", "Ada");
            fixture.settle();
            fixture.forge(1_000, after, "Redmond", "Ada");
            // The writer's own versions pass the smaller one.
            fixture.put(1_001, "Redmond", "Bob");
            fixture.put(1_002, "Redmond", "Cyd");
            fixture.settle();

            VerifyReport report = fixture.pass(mode, NOBODY).run();

            assertThat(only(report, "by_town").kind()).isEqualTo(Kind.AHEAD);
            assertThat(only(report, "whole").kind()).isEqualTo(Kind.AHEAD);
        }
    }

    @Test
    void aForgedRowAndAForgedDeleteAreFoundToo() throws Exception {
        VerifyFixture fixture = filled(3);
        fixture.put(1_001, "Redmond", "Bob");
        fixture.settle();
        KeyBytes none = fixture.forge(1_000, 99_999, "Redmond", "Ada");
        fixture.forgeDelete(1_001, 99_999);
        fixture.forgeDelete(1_002, 99_999);

        VerifyReport report = fixture.pass(Mode.FULL, NOBODY).run();

        assertThat(report.indexes()).hasSize(2).allSatisfy(index -> {
            assertThat(index.count(Kind.MISSING)).isEqualTo(1);
            assertThat(index.count(Kind.AHEAD)).isEqualTo(2);
            assertThat(index.examples())
                    .filteredOn(example -> example.kind() == Kind.AHEAD)
                    .extracting(Difference::primaryKey)
                    .containsExactlyInAnyOrder(none, fixture.key(1_002));
        });
    }

    @Test
    void repairReplacesForgedVersionsAndTrueChangesReachTheIndexAgain() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            VerifyFixture fixture = filled(seed);
            fixture.put(1_000, "Redmond", "Ada");
            fixture.put(1_001, "Redmond", "Bob");
            fixture.settle();
            fixture.forge(1_000, 99_999, "Kirkland", "Ada");
            fixture.forgeDelete(1_001, 99_999);
            fixture.forge(1_002, 99_999, "Kirkland", "Cyd");
            fixture.forgeDelete(1_003, 99_999);
            fixture.put(1_000, "Bothell", "Ada");
            fixture.settle();
            fixture.goOn();

            VerifyReport report = repaired(fixture);

            assertThat(report.isEqual()).as("seed %s: %s", seed, report).isTrue();
            for (int id = 1_000; id < 1_004; id++) {
                fixture.put(id, "Bothell", "now");
            }
            fixture.settle();
            assertThat(fixture.pass(Mode.FULL, NOBODY).run().isEqual())
                    .as("seed %s", seed)
                    .isTrue();
        }
    }

    @Test
    void aRowThatIsDeletedAgainAndAgainMeanwhileGivesNoFalseAlarm() throws Exception {
        VerifyFixture fixture = filled(3);
        fixture.goOn();
        for (int round = 0; round < 30; round++) {
            for (int id = 0; id < 300; id += 3) {
                fixture.delete(id);
            }

            VerifyReport report = fixture.pass(Mode.FULL, NOBODY).run();

            assertThat(report.indexes())
                    .as("round %s", round)
                    .hasSize(2)
                    .allSatisfy(index -> assertThat(index.total()).isZero());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aRowThatWasNeverAppliedIsMissingAndADeleteThatWasNotIsDangling(Mode mode) throws Exception {
        VerifyFixture fixture = filled(4);
        fixture.put(1_000, "Redmond", "Ada");
        fixture.loseOne();
        KeyBytes second = fixture.put(1_001, "Redmond", "Bob");
        fixture.settle();
        fixture.delete(1_001);
        fixture.loseOne();
        fixture.settle();

        VerifyReport report = fixture.pass(mode, NOBODY).run();

        assertThat(report.indexes()).hasSize(2).allSatisfy(index -> {
            assertThat(index.count(Kind.MISSING)).isEqualTo(1);
            assertThat(index.count(Kind.DANGLING)).isEqualTo(1);
            assertThat(index.total()).isEqualTo(2);
            assertThat(index.digestsAgree()).as("entries are as the states say").isTrue();
            assertThat(index.examples())
                    .filteredOn(example -> example.kind() == Kind.DANGLING)
                    .extracting(Difference::primaryKey)
                    .containsExactly(second);
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aRowInQuarantineIsNamedAndIsNoDifferenceAndOthersAreFoundAllTheSame(Mode mode) throws Exception {
        VerifyFixture fixture = filled(5);
        poison(fixture, 1_000, Standing.POISONED_AT);
        poison(fixture, 1_001, Standing.POISONED_PAST);
        KeyBytes lost = fixture.put(1_002, "Redmond", "Cyd");
        fixture.loseOne();
        fixture.settle();

        VerifyReport report = fixture.pass(mode, NOBODY).run();

        assertThat(report.isEqual()).isFalse();
        assertThat(report.indexes()).hasSize(2).allSatisfy(index -> {
            assertThat(index.count(Kind.QUARANTINED)).isEqualTo(2);
            assertThat(index.count(Kind.MISSING)).isEqualTo(1);
            assertThat(index.total()).isEqualTo(1);
            assertThat(index.valid()).isEqualTo(index.entries());
            assertThat(index.proofs().values())
                    .filteredOn(proof -> !(proof instanceof VerificationResult.Equal))
                    .hasSize(1);
            assertThat(index.proofs().get(fixture.table().partitionOf(lost)))
                    .isInstanceOf(VerificationResult.Different.class);
        });
    }

    @Test
    void aShardThatMissedAChangeAfterTheOneInQuarantineDiffers() throws Exception {
        VerifyFixture fixture = filled(5);
        poison(fixture, 1_000, Standing.POISONED_AT);
        fixture.put(1_000, "Bothell", "Ada");
        fixture.loseOne();
        fixture.settle();

        assertThat(only(fixture.pass(Mode.FULL, NOBODY).run(), "by_town").kind())
                .isEqualTo(Kind.MISSING);
    }

    @Test
    void repairHealsARowInQuarantine() throws Exception {
        VerifyFixture fixture = filled(5);
        KeyBytes row = poison(fixture, 1_000, Standing.POISONED_AT);
        KeyBytes unindexed = fixture.put(1_001, null, "Bob");
        fixture.loseOne();
        fixture.shard(unindexed)
                .setState(unindexed, Optional.of(RowState.without(fixture.version(unindexed), Standing.POISONED_AT)));
        fixture.settle();

        assertThat(repaired(fixture).isEqual()).isTrue();
        assertThat(fixture.shard(row).state(row).orElseThrow().isLive()).isTrue();
        assertThat(fixture.shard(unindexed).state(unindexed).orElseThrow().isLive())
                .isTrue();
    }

    /** Puts a row whose change its shard could not apply. */
    private static KeyBytes poison(VerifyFixture fixture, int id, Standing standing) {
        KeyBytes row = fixture.put(id, "Redmond", "Ada");
        fixture.loseOne();
        RowVersion known = standing == Standing.POISONED_AT ? fixture.version(row) : RowVersion.NONE;
        fixture.shard(row).setState(row, Optional.of(RowState.without(known, standing)));
        fixture.settle();
        return row;
    }

    @Test
    void aStateThatIsWrongCountsAlthoughTheEntriesAreRight() throws Exception {
        VerifyFixture fixture = filled(5);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        RowState state = fixture.shard(row).state(row).orElseThrow();
        fixture.shard(row).setState(row, Optional.of(new RowState(state.version(), state.standing(), Map.of())));

        VerifyReport report = fixture.pass(Mode.FULL, NOBODY).run();

        assertThat(report.indexes())
                .hasSize(2)
                .allSatisfy(index -> assertThat(index.count(Kind.STALE)).isEqualTo(1));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aStateInAnOlderVersionIsStaleAlthoughTheEntriesAreRight(Mode mode) throws Exception {
        VerifyFixture fixture = filled(5);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        RowVersion applied = fixture.version(row);
        fixture.put(1_000, "Redmond", "Ada");
        fixture.loseOne();
        fixture.settle();

        VerifyReport report = fixture.pass(mode, NOBODY).run();

        for (String index : List.of("by_town", "whole")) {
            Difference difference = only(report, index);
            assertThat(difference.kind()).isEqualTo(Kind.STALE);
            assertThat(difference.primaryKey()).isEqualTo(row);
            assertThat(difference.version()).contains(applied);
        }
    }

    @Test
    void aRowThatWasMovedByHandIsStaleAndNotMissing() throws Exception {
        VerifyFixture fixture = filled(6);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        KeyBytes right = entryOf(fixture, row, "by_town").getKey();
        fixture.put(1_000, "Bothell", "Ada");
        fixture.settle();
        long generation = fixture.generation("by_town").id();
        KeyBytes now = entryOf(fixture, row, "by_town").getKey();
        fixture.shard(row)
                .tamper(
                        new IndexMutation.RemoveEntry(generation, now),
                        new IndexMutation.PutEntry(generation, right, KeyBytes.EMPTY));

        assertThat(only(fixture.pass(Mode.QUICK, NOBODY).run(), "by_town").kind())
                .isEqualTo(Kind.STALE);
    }

    @Test
    void anEntryBesideAllOfItsRowIsADuplicate() throws Exception {
        VerifyFixture fixture = filled(6);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        KeyBytes other = entryInBothell(fixture, row);

        Difference difference = only(fixture.pass(Mode.FULL, NOBODY).run(), "by_town");

        assertThat(difference.kind()).isEqualTo(Kind.DUPLICATE);
        assertThat(difference.primaryKey()).isEqualTo(row);
        assertThat(difference.entry()).isEqualTo(other);
    }

    @Test
    void anEntryOfARowThatShouldHaveNoneIsStale() throws Exception {
        VerifyFixture fixture = filled(6);
        KeyBytes row = fixture.put(1_000, null, "Ada");
        fixture.settle();
        entryInBothell(fixture, row);

        assertThat(only(fixture.pass(Mode.FULL, NOBODY).run(), "by_town").kind())
                .isEqualTo(Kind.STALE);
    }

    @Test
    void everyWrongEntryOfARowWhoseChangeNeverArrivedIsStale() throws Exception {
        VerifyFixture fixture = filled(6);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        fixture.put(1_000, "Kirkland", "Ada");
        fixture.loseOne();
        fixture.settle();
        entryInBothell(fixture, row);

        VerifyReport.OfGeneration index =
                fixture.pass(Mode.FULL, NOBODY).run().indexes().get(0);

        assertThat(index.count(Kind.STALE)).isEqualTo(2);
        assertThat(index.total()).isEqualTo(2);
    }

    /** Adds an entry of a row to the index by town, as if the row were in Bothell. */
    private static KeyBytes entryInBothell(VerifyFixture fixture, KeyBytes row) {
        Generation byTown = fixture.generation("by_town");
        RowDocument there = ChangeLog.document("{\"id\":1000,\"town\":\"Bothell\",\"name\":\"Ada\"}");
        KeyBytes entry = Objects.requireNonNull(
                        new RowDeriver(List.of(byTown)).derive(row, there).get(byTown.id()))
                .keys()
                .get(0);
        fixture.shard(row).tamper(new IndexMutation.PutEntry(byTown.id(), entry, KeyBytes.EMPTY));
        return entry;
    }

    @Test
    void anEntryThatCannotBeReadIsDangling() throws Exception {
        VerifyFixture fixture = filled(7);
        KeyBytes garbage = KeyBytes.wrap(new byte[] {(byte) 0xEE, 1, 2});
        fixture.shards()
                .get(2)
                .tamper(new IndexMutation.PutEntry(fixture.generation("by_town").id(), garbage, KeyBytes.EMPTY));

        Difference difference = only(fixture.pass(Mode.FULL, NOBODY).run(), "by_town");

        assertThat(difference.kind()).isEqualTo(Kind.DANGLING);
        assertThat(difference.entry()).isEqualTo(garbage);
        assertThat(difference.partition()).isEqualTo(2);
    }

    @Test
    void anEntryInTheWrongShardIsDanglingThere() throws Exception {
        VerifyFixture fixture = filled(8);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        VerifyShardFixture wrong = fixture.shards().get((fixture.table().partitionOf(row) + 1) % 4);
        KeyBytes entry = entryOf(fixture, row, "by_town").getKey();
        wrong.tamper(new IndexMutation.PutEntry(fixture.generation("by_town").id(), entry, KeyBytes.EMPTY));

        Difference difference = only(fixture.pass(Mode.FULL, NOBODY).run(), "by_town");

        assertThat(difference.kind()).isEqualTo(Kind.DANGLING);
        assertThat(difference.partition()).isEqualTo(wrong.partition());
    }

    @Test
    void allIsCountedAndTheFirstOfEachKindAreKept() throws Exception {
        VerifyFixture fixture = new VerifyFixture(9);
        for (int id = 0; id < 2_000; id++) {
            fixture.put(id, "Redmond", "n" + id);
        }
        fixture.settle();
        long generation = fixture.generation("by_town").id();
        for (VerifyShardFixture shard : fixture.shards()) {
            shard.entries(generation)
                    .forEach(entry -> shard.tamper(new IndexMutation.RemoveEntry(generation, entry.getKey())));
        }

        VerifyReport report = fixture.pass(Mode.QUICK, NOBODY).run();

        VerifyReport.OfGeneration index = report.indexes().get(0);
        assertThat(index.count(Kind.MISSING)).isEqualTo(2_000);
        assertThat(index.entries()).isZero();
        assertThat(index.valid()).isZero();
        assertThat(index.examples()).hasSize(32);
        assertThat(report.indexes().get(1).isEqual()).isTrue();
    }

    @Test
    void repairHealsExactlyWhatWasTamperedWithWhileChangesGoOn() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            VerifyFixture fixture = filled(seed);
            Map<KeyBytes, Kind> done = new HashMap<>();
            for (int i = 0; i < 5; i++) {
                tamper(fixture, done);
            }
            KeyBytes lost = fixture.put(1_000, "Redmond", "Ada");
            fixture.loseOne();
            fixture.put(1_001, "Bothell", "Bob");
            fixture.settle();
            fixture.delete(1_001);
            fixture.loseOne();
            fixture.settle();
            fixture.goOn();

            List<WrongRow> wrong = new ArrayList<>();
            fixture.pass(Mode.FULL, collector(wrong)).run();
            Repairs repairs = new Repairs(new VerifyTotals(), passed -> {}, true);
            for (WrongRow row : wrong) {
                repairs.differs(row);
            }
            long repaired = repairs.finish();

            VerifyReport after = fixture.pass(Mode.FULL, NOBODY).run();
            assertThat(repaired).as("seed %s", seed).isBetween(1L, (long) done.size() + 2);
            assertThat(after.isEqual()).as("seed %s: %s", seed, after).isTrue();
            assertThat(after.indexes()).hasSize(2).allMatch(VerifyReport.OfGeneration::digestsAgree);
            assertThat(fixture.shard(lost).state(lost)).isPresent();
        }
    }

    @Test
    void aRepairOfARowThatHasChangedSinceChangesNothing() throws Exception {
        VerifyFixture fixture = filled(12);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.settle();
        long generation = fixture.generation("by_town").id();
        fixture.shard(row)
                .tamper(new IndexMutation.RemoveEntry(
                        generation, entryOf(fixture, row, "by_town").getKey()));
        List<WrongRow> wrong = new ArrayList<>();
        fixture.pass(Mode.FULL, collector(wrong)).run();
        fixture.put(1_000, "Bothell", "Ada");
        fixture.settle();
        List<Map.Entry<KeyBytes, KeyBytes>> before = fixture.shard(row).entries(generation);

        Repairs repairs = new Repairs(new VerifyTotals(), passed -> {}, true);
        repairs.differs(wrong.get(0));
        repairs.finish();

        assertThat(wrong).hasSize(1);
        assertThat(fixture.shard(row).entries(generation)).isEqualTo(before);
    }

    @Test
    void longStretchesOfDeletedRowsAreWorkAsWell() throws Exception {
        VerifyFixture fixture = new VerifyFixture(9);
        for (int id = 0; id < 10_000; id++) {
            fixture.put(id, null, "gone");
            fixture.delete(id);
        }
        fixture.put(20_000, "Redmond", "Ada");
        fixture.settle();

        assertThat(fixture.pass(Mode.FULL, NOBODY).run().isEqual()).isTrue();

        assertThat(fixture.works()).isEqualTo(2);
    }

    @Test
    void aStreamThatBreaksOffIsNoVerdict() {
        VerifyFixture fixture = filled(10);
        fixture.breakStreams();

        assertThatThrownBy(() -> fixture.pass(Mode.FULL, NOBODY).run()).isInstanceOf(CannotVerifyException.class);
        assertThat(fixture.openReaders()).isZero();
    }

    @Test
    void aShardThatDoesNotComeFarEnoughIsNoVerdict() {
        VerifyFixture fixture = filled(11);
        KeyBytes row = fixture.put(1_000, "Redmond", "Ada");
        fixture.stick();
        fixture.shards().get(0).through(fixture.version(row));

        assertThatThrownBy(() -> fixture.pass(Mode.FULL, NOBODY).run())
                .isInstanceOf(CannotVerifyException.class)
                .hasMessageStartingWith("shard people-1 has not come as far as its table")
                .hasMessageContaining(", the table up to ");
        assertThat(fixture.openReaders()).isZero();
    }

    @Test
    void endsWithoutAVerdictWhileItWaitsWhenAnyShardIsAboutToBeClosed() {
        VerifyFixture fixture = filled(11);
        fixture.put(1_000, "Redmond", "Ada");
        fixture.stick();
        fixture.shards().get(3).leave();

        assertThatThrownBy(() -> fixture.pass(Mode.FULL, NOBODY).run())
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("shard people-3 is being closed");
    }

    @Test
    void endsWithoutAVerdictWhileItWorksWhenAShardIsAboutToBeClosed() {
        VerifyFixture fixture = new VerifyFixture(11);
        for (int id = 0; id < 4_096; id++) {
            fixture.put(id, "Redmond", "Ada");
        }
        fixture.settle();
        VerifyPass.Listener leaving = new VerifyPass.Listener() {
            @Override
            public void differs(WrongRow row) {
                throw new AssertionError("nothing differs");
            }

            @Override
            public void miscounts(ShardWindow shard, long generation, GenerationStats by) {
                throw new AssertionError("every sum is right");
            }

            @Override
            public void passed(long rows) {
                fixture.shards().get(3).leave();
            }
        };

        assertThatThrownBy(() -> fixture.pass(Mode.FULL, leaving).run())
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("shard people-3 is being closed");
        assertThat(fixture.works()).isZero();
        assertThat(fixture.openReaders()).isZero();
    }

    @Test
    void rowsThatAreRightAreNotLookedAtTwiceBecauseOthersWereDeleted() throws Exception {
        VerifyFixture fixture = filled(2);
        fixture.put(1_000, "Redmond", "Ada");
        List<KeyBytes> rows = List.copyOf(fixture.facts().keySet());
        for (int id = 0; id < 300; id++) {
            if (rows.indexOf(fixture.key(id)) % 2 == 0) {
                fixture.delete(id);
            }
        }
        fixture.settle();

        assertThat(fixture.pass(Mode.FULL, NOBODY).run().isEqual()).isTrue();
        assertThat(fixture.found()).isZero();
    }

    @Test
    void aPassEndsBeforeItBeginsWhereOthersHoldTheMemory() {
        VerifyFixture fixture = filled(1);
        MemoryBudget budget = new MemoryBudget(16 << 20);
        MemoryBudget.Part memory = budget.part("verification", 1);
        budget.part("others", 1).reserve(16 << 20);

        assertThatThrownBy(() -> fixture.pass(Mode.FULL, memory, NOBODY).run())
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("there is no memory left for a comparison");
    }

    @Test
    void aQuickPassLooksTwiceAtAFewRowsOnly() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        for (int id = 0; id < 1_000; id++) {
            fixture.put(id, "Redmond", "Ada");
        }
        fixture.settle();

        VerifyReport report = fixture.pass(Mode.QUICK, NOBODY).run();

        assertThat(report.basis()).isEqualTo(Basis.ROWS);
        assertThat(fixture.found()).isBetween(1, 100);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void whatAShardKeepsInSumIsComparedAndCorrected(Mode mode) throws Exception {
        VerifyFixture fixture = filled(5);
        long generation = fixture.generation("whole").id();
        GenerationStats wrong = new GenerationStats(0, 0, 0, new Digest(1, 2), Digest.EMPTY);
        fixture.shards().get(2).correct(generation, wrong);

        VerifyReport report = fixture.pass(mode, NOBODY).run();

        assertThat(report.isEqual()).isFalse();
        assertThat(report.indexes())
                .extracting(VerifyReport.OfGeneration::digestsAgree)
                .containsExactly(true, false);
        assertThat(report.indexes())
                .hasSize(2)
                .allSatisfy(index -> assertThat(index.total()).isZero());

        List<WrongRow> rows = new ArrayList<>();
        Repairs repairs = new Repairs(new VerifyTotals(), passed -> {}, true);
        fixture.goOn();
        fixture.pass(mode, new Correcting(collector(rows), repairs)).run();

        assertThat(repairs.hasCorrected()).isTrue();
        assertThat(rows).isEmpty();
        assertThat(fixture.pass(mode, NOBODY).run().isEqual()).isTrue();
    }

    @Test
    void anIndexIsNotEqualWherePartitionsWereNotCompared() throws Exception {
        VerifyFixture fixture = filled(5);
        fixture.lose(2);

        VerifyReport report = fixture.pass(Mode.FULL, NOBODY).run();

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
        public void miscounts(ShardWindow shard, long generation, GenerationStats by) throws InterruptedException {
            repairs.miscounts(shard, generation, by);
        }

        @Override
        public void passed(long rows) {
            others.passed(rows);
        }
    }

    /** What is found once rows have been put right as often as one job does. */
    private static VerifyReport repaired(VerifyFixture fixture) throws Exception {
        for (int round = 0; round < 3; round++) {
            List<WrongRow> wrong = new ArrayList<>();
            fixture.pass(Mode.FULL, collector(wrong)).run();
            Repairs repairs = new Repairs(new VerifyTotals(), passed -> {}, true);
            for (WrongRow row : wrong) {
                repairs.differs(row);
            }
            repairs.finish();
        }
        return fixture.pass(Mode.FULL, NOBODY).run();
    }

    /** Tampers with one entry that nothing was done to yet. */
    private static void tamper(VerifyFixture fixture, Map<KeyBytes, Kind> done) {
        VerifyShardFixture shard = fixture.shards().get(fixture.random().nextInt(4));
        long generation = fixture.generation(fixture.random().nextBoolean() ? "by_town" : "whole")
                .id();
        List<Map.Entry<KeyBytes, KeyBytes>> entries = shard.entries(generation).stream()
                .filter(entry -> !done.containsKey(entry.getKey()))
                .toList();
        KeyBytes entry = entries.get(fixture.random().nextInt(entries.size())).getKey();
        switch (fixture.random().nextInt(3)) {
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
            public void miscounts(ShardWindow shard, long generation, GenerationStats by) {
                // The report tells.
            }

            @Override
            public void passed(long rows) {
                // Nobody looks.
            }
        };
    }

    private static VerifyFixture filled(long seed) {
        VerifyFixture fixture = new VerifyFixture(seed);
        for (int i = 0; i < 200; i++) {
            fixture.change(5);
        }
        fixture.settle();
        return fixture;
    }

    private static Map.Entry<KeyBytes, KeyBytes> entryOf(VerifyFixture fixture, KeyBytes row, String index) {
        return fixture.shard(row).entries(fixture.generation(index).id()).stream()
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
