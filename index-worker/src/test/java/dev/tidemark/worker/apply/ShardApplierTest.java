package dev.tidemark.worker.apply;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.progress.Progress;
import dev.tidemark.testkit.LoggedLines;
import dev.tidemark.worker.clocks.CommitBound;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Times;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class ShardApplierTest {
    private static final ShardId ID = new ShardId("films", 0);
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\"]}";
    private static final String ALIENS = ALIEN.replace("\"id\":1", "\"id\":2");

    private final TableDefinition films = Tables.films();
    private final DesiredTable plan = Tables.plan(films);
    private final InMemoryShardStores stores = new InMemoryShardStores();
    private final SettableClock clock = new SettableClock(ChangeLog.at(100));
    private final ChangeLog log = new ChangeLog(films);
    private final Told told = new Told();
    private ShardStore store = stores.open(ID, new ShardOrigin("topic", "text"));
    private ShardApplier applier =
            ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, WriterClock.SAME, told);

    @Test
    void storesEntriesStateAndOffsetTogether() {
        apply(log.put(1, ALIEN).heartbeat(2).take());
        assertThat(entries(1)).isEqualTo(1);
        assertThat(store.checkpoint().nextOffset()).isEqualTo(2);
        assertThat(store.checkpoint().generations().values())
                .allMatch(status -> status.tally().entries() == 1);
        assertThat(store.checkpoint().progress()).isEqualTo(new Progress(ChangeLog.at(2), ChangeLog.version(2)));
    }

    @Test
    void whatIsKeptInSumCanBeCorrectedBetweenChanges() {
        apply(log.put(1, ALIEN).take());
        GenerationStats right = tally(1);
        GenerationStats lacking = new GenerationStats(3, 2, 0, new Digest(1, 2), new Digest(3, 4));
        applier.correct(1, lacking);
        assertThat(tally(1)).isEqualTo(right.plus(lacking));

        apply(log.put(2, ALIEN.replace("1979", "1980")).take());
        applier.correct(1, GenerationStats.NONE.minus(lacking));
        applier.correct(99, lacking);

        apply(log.put(3, ALIEN).delete(4, "1").take());
        assertThat(tally(1)).isEqualTo(GenerationStats.NONE);
    }

    private GenerationStats tally(long generation) {
        return store.checkpoint().generation(generation).orElseThrow().tally();
    }

    @Test
    void redeliveryChangesNothing() {
        apply(log.put(1, ALIEN).put(2, ALIEN.replace("Weaver", "Hurt")).take());
        apply(new ChangeBatch(log.from(0).records(), 4, OptionalInt.empty()));
        assertThat(told.counts).containsExactly(new ApplyCounts(2, 0, 0), new ApplyCounts(0, 2, 0));
        assertThat(store.checkpoint().generations().values())
                .allMatch(status -> status.tally().entries() == 1);
    }

    @Test
    void redeliveryWithinABatchChangesNothingEither() {
        apply(log.put(1, ALIEN).put(1, ALIEN).take());
        assertThat(told.counts).containsExactly(new ApplyCounts(1, 1, 0));
    }

    @Test
    void whatIsToldAgainOfAForgottenRowDoesNotBringItBack() {
        apply(log.put(1, ALIEN).delete(2, "1").heartbeat(3).forget(2, "1").take());
        apply(log.put(1, ALIEN).take());
        assertThat(entries(1)).isZero();
        apply(log.put(4, ALIEN).take());
        assertThat(entries(1)).isEqualTo(1);
    }

    @Test
    void aForgottenRowDoesNotComeBackWithinABatchEither() {
        apply(log.put(1, ALIEN).delete(2, "1").forget(2, "1").put(1, ALIEN).take());
        assertThat(entries(1)).isZero();
    }

    @Test
    void norWhereNoRecordProvesThatTheOthersAreThere() {
        ChangeMessage upserted = log.upserted(1, ALIEN);
        apply(log.expectedAt(ExpectedPosition.UNKNOWN, upserted)
                .expectedAt(
                        ExpectedPosition.UNKNOWN,
                        new ChangeEvent.Forgotten(log.key("1"), ChangeLog.version(2), ChangeLog.at(2)))
                .expectedAt(ExpectedPosition.UNKNOWN, upserted)
                .take());
        assertThat(entries(1)).isZero();
    }

    @Test
    void whatAHeartbeatTellsCountsForWhatFollowsItInItsBatch() {
        ChangeMessage upserted = log.upserted(1, ALIEN);
        apply(log.expectedAt(ExpectedPosition.UNKNOWN, upserted)
                .expectedAt(
                        ExpectedPosition.UNKNOWN,
                        new ChangeEvent.Deleted(log.key("1"), ChangeLog.version(2), ChangeLog.at(2)))
                .expectedAt(
                        ExpectedPosition.UNKNOWN,
                        new ChangeEvent.Forgotten(log.key("1"), ChangeLog.version(2), ChangeLog.at(2)))
                .take());
        apply(log.heartbeat(3).expectedAt(ExpectedPosition.UNKNOWN, upserted).take());
        assertThat(entries(1)).isZero();
    }

    @Test
    void aRowThatIsPublishedAgainIsTakenThoughAllChangesUpToItsVersionWereTold() {
        apply(log.put(96, ALIEN.replace("\"id\":1", "\"id\":2")).heartbeat(96).take());
        apply(log.put(90, UpsertKind.READ, ALIEN).take());
        assertThat(entries(1)).isEqualTo(2);
    }

    @Test
    void aRowThatIsPublishedAgainDoesNotBringBackWhatANewerDeleteRemoved() {
        apply(log.put(1, ALIEN).delete(5, "1").heartbeat(6).take());
        apply(log.put(4, UpsertKind.READ, ALIEN).take());
        assertThat(entries(1)).isZero();
    }

    @Test
    void aDeleteIsNotLostWhereAnOlderStateOfTheRowIsPublishedAgainInItsBatch() {
        apply(log.put(5, ALIEN).take());

        apply(log.delete(6, "1").forget(6, "1").put(4, UpsertKind.READ, ALIEN).take());

        assertThat(state("1").version()).isEqualTo(ChangeLog.version(4));
        assertThat(tally(1)).isEqualTo(GenerationStats.of(log.key("1"), state("1"), 1));
    }

    @Test
    void aRecordThatIsNotWhereItsWriterExpectedItIsAppliedAndMovesNoProgress() {
        Progress told = new Progress(ChangeLog.at(5), ChangeLog.version(5));
        apply(log.expectedAt(0, new Heartbeat(ChangeLog.at(5), ChangeLog.version(5)))
                .take());
        assertThat(applier.status().checkpoint().progress()).isEqualTo(told);
        apply(log.expectedAt(2, new Heartbeat(ChangeLog.at(6), ChangeLog.version(6)))
                .expectedAt(ExpectedPosition.UNKNOWN, log.upserted(7, ALIEN))
                .take());
        assertThat(applier.status().checkpoint().progress()).isEqualTo(told);
        assertThat(entries(1)).isEqualTo(1);
        apply(log.expectedAt(3, log.upserted(8, ALIEN)).take());
        assertThat(applier.status().checkpoint().progress().through()).isEqualTo(ChangeLog.version(8));
    }

    @Test
    void heartbeatsAreInMemoryAtOnceAndStoredAfterAWhile() {
        apply(log.heartbeat(4).take());
        apply(log.heartbeat(5).take());
        assertThat(applier.status().checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(5));
        assertThat(store.checkpoint().nextOffset()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(3));
        applier.persistIfDue();
        assertThat(store.checkpoint().nextOffset()).isEqualTo(2);
        assertThat(store.checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(5));
    }

    @Test
    void theFirstWatermarkIsStoredAtOnceBecauseTheShardAnswersFromThenOn() {
        assertThat(store.checkpoint().isRestoring()).isTrue();
        apply(log.heartbeat(5).take());
        assertThat(store.checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(5));
    }

    @Test
    void progressStaysBehindUntilTheFirstEndIsPassedEvenOverACrash() {
        apply(log.put(1, ALIEN).heartbeat(1).take());
        log.put(2, ALIEN).heartbeat(2).put(3, ALIEN).heartbeat(3);
        reopen(log.end());
        apply(log.take(2));
        assertThat(applier.status().restoring()).isTrue();
        assertThat(applier.status().checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(1));
        reopen(log.end());
        assertThat(applier.status().checkpoint().nextOffset()).isEqualTo(4);
        assertThat(applier.status().checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(1));
        apply(log.take());
        assertThat(applier.status().restoring()).isFalse();
        assertThat(applier.status().checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(3));
    }

    @Test
    void changesAreTimedOnceAndOnlyWhileFollowing() {
        apply(log.put(90, ALIEN).take());
        apply(log.put(90, ALIEN).put(91, UpsertKind.READ, ALIEN).take());
        assertThat(told.visible).containsExactly(Duration.ofSeconds(10));
        log.put(95, ALIEN);
        reopen(log.end());
        apply(log.take());
        assertThat(told.visible).hasSize(1);
    }

    @Test
    void aTimeIsMeasuredByTheLikelyClockOfTheWriterWithoutTheMarginOfAges() {
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, new Uncertain(), told);

        apply(log.put(90, ALIEN).take());

        assertThat(told.visible).containsExactly(Duration.ofSeconds(15));
    }

    @Test
    void tellsWhereTheTimeWentOnceForChangesThatAreAlike() {
        for (long number : List.of(90, 90, 91)) {
            WireRecord plain = new ChangeCodec("films")
                    .encode(new ChangeEvent.Deleted(
                            log.key("1"), ChangeLog.version(number + log.end()), ChangeLog.at(number)));
            Map<String, String> headers = new HashMap<>(plain.headers());
            headers.put(PublishTimings.HEADER, "20000,70000");
            log.add(new WireRecord(plain.key(), plain.value(), headers));
        }
        Instant polled = clock.instant();
        clock.advance(Duration.ofMillis(400));
        applier.apply(log.take(), polled);
        assertThat(told.stages)
                .containsEntry(Stage.COMMITTER, millis(20, 20, 20))
                .containsEntry(Stage.OUTBOX, millis(50, 50, 50))
                .containsEntry(Stage.KAFKA, millis(9_930, 9_930, 8_930))
                .containsEntry(Stage.QUEUE, millis(400, 400, 400))
                .containsEntry(Stage.APPLY, millis(0, 0, 0));
        assertThat(told.visible).isEqualTo(millis(10_400, 10_400, 9_400));
    }

    @Test
    void aPoisonTakesTheRowOutAndKeepsTheRecord() {
        apply(log.put(1, ALIEN).take());
        apply(log.garbage("1").heartbeat(5).take());
        assertThat(told.counts).containsExactly(new ApplyCounts(1, 0, 0), new ApplyCounts(0, 0, 1));
        assertThat(entries(1)).isZero();
        assertThat(store.checkpoint().quarantined()).isEqualTo(1);
        assertThat(quarantine()).singleElement().satisfies(record -> {
            assertThat(record.offset()).isEqualTo(1);
            assertThat(record.record().key()).isEqualTo(log.key("1"));
            assertThat(record.at()).isEqualTo(clock.instant());
        });
        assertThat(applier.status().checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(5));
    }

    @Test
    void aNewerEventHealsAPoisonedRow() {
        apply(log.put(1, ALIEN).garbage("1").take());
        apply(log.put(1, ALIEN).take());
        assertThat(store.checkpoint().quarantined()).isEqualTo(1);
        apply(log.put(2, ALIEN).take());
        assertThat(store.checkpoint().quarantined()).isZero();
        assertThat(quarantine()).isEmpty();
        assertThat(entries(1)).isEqualTo(1);
    }

    @Test
    void aRecordWhoseRowHasAnotherKeyIsQuarantinedAndTellsNoProgress() {
        apply(log.put(1, ALIEN).take());

        apply(log.put(99, log.key("1"), ALIEN.replace("\"id\":1", "\"id\":7")).take());

        assertThat(entries(1)).isZero();
        assertThat(quarantine()).singleElement().satisfies(record -> {
            assertThat(record.record().key()).isEqualTo(log.key("1"));
            assertThat(record.reason()).contains("another key");
        });
        assertThat(applier.status().checkpoint().progress().through()).isEqualTo(ChangeLog.version(1));

        apply(log.put(2, ALIEN).take());
        assertThat(entries(1)).isEqualTo(1);
        assertThat(quarantine()).isEmpty();
    }

    @Test
    void aRecordWhoseRowHasNoKeyIsQuarantinedToo() {
        apply(log.put(1, log.key("1"), ALIEN.replace("\"id\":1,", "")).take());

        assertThat(quarantine())
                .singleElement()
                .satisfies(record -> assertThat(record.reason()).contains("id is absent"));
    }

    @Test
    void aRowOfAnotherPartitionStaysInQuarantineWhicheverRecordFollows() {
        TableDefinition people = Tables.people();
        ChangeLog forged = new ChangeLog(people);
        int elsewhere = (people.partitionOf(forged.key("7")) + 1) % people.partitions();
        ShardId shard = new ShardId(people.name(), elsewhere);
        store = stores.open(shard, new ShardOrigin("topic", "text"));
        applier =
                ShardApplier.open(shard, Tables.plan(people), store, 0, clock.instant(), clock, WriterClock.SAME, told);
        String row = "{\"id\":7,\"town\":\"Redmond\",\"name\":\"Ann\"}";

        apply(forged.put(1, row).take());
        apply(forged.put(1, row).take());
        assertThat(store.checkpoint().quarantined()).isEqualTo(1);
        apply(forged.put(2, row).take());
        assertThat(quarantine()).extracting(QuarantinedRecord::offset).containsExactly(2L);
        assertThat(entries(1)).isZero();

        apply(forged.delete(3, "7").take());
        apply(forged.put(4, row).take());
        assertThat(quarantine()).extracting(QuarantinedRecord::offset).containsExactly(4L);
        assertThat(entries(1)).isZero();
    }

    @Test
    void aSecondPoisonReplacesTheFirst() {
        apply(log.garbage("1").take());
        apply(log.garbage(7, "1").take());
        assertThat(store.checkpoint().quarantined()).isEqualTo(1);
        assertThat(quarantine()).extracting(QuarantinedRecord::offset).containsExactly(1L);
    }

    @Test
    void aPoisonOlderThanTheRowIsStale() {
        apply(log.put(5, ALIEN).garbage(4, "1").take());
        assertThat(told.counts).containsExactly(new ApplyCounts(1, 1, 0));
        assertThat(store.checkpoint().quarantined()).isZero();
    }

    @Test
    void aHeartbeatThatCannotBeReadIsCountedAndPromisesNothing() {
        log.add(new WireRecord(ChangeCodec.HEARTBEAT_KEY, null, Map.of()));
        apply(log.take());
        assertThat(told.counts).containsExactly(new ApplyCounts(0, 0, 1));
        assertThat(store.checkpoint().nextOffset())
                .as("nothing is stored at once")
                .isZero();
        assertThat(applier.status().checkpoint().progress()).isEqualTo(Progress.UNKNOWN);
        assertThat(applier.status().checkpoint().quarantined()).isZero();
    }

    @Test
    void aHeartbeatFromTheFutureIsNotBelievedAndATrueOneAfterItIs() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);
        apply(log.put(1, ALIEN).heartbeat(90).take());
        assertThat(writer.doubts).isZero();

        apply(log.heartbeat(1_000_000).take());

        assertThat(applier.status().checkpoint().progress())
                .isEqualTo(new Progress(ChangeLog.at(90), ChangeLog.version(90)));
        assertThat(applier.status().refusals().count()).isEqualTo(1);
        assertThat(applier.status().refusals().last())
                .hasValueSatisfying(why -> assertThat(why).contains("offset 2", "2026-01-12T"));
        assertThat(told.counts).endsWith(new ApplyCounts(0, 0, 1));
        assertThat(writer.doubts).isEqualTo(1);

        apply(log.heartbeat(91).take());
        assertThat(applier.status().checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(91));
        assertThat(applier.status().refusals().count()).isEqualTo(1);
    }

    @Test
    void aMarkFromTheFutureIsNotComparedWith() {
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, new Bounded(), told);
        apply(log.put(1, ALIEN).heartbeat(2).take());

        apply(log.add(new Heartbeat(
                        ChangeLog.at(1_000_000), ChangeLog.version(2), new TreeMap<>(Map.of(1L, Digest.EMPTY))))
                .take());

        assertThat(applier.status().digests()).isEmpty();
    }

    @Test
    void aMarkThatComesLateIsNotComparedWithWhatCameBeforeIt() {
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, new Bounded(), told);
        apply(log.put(1, ALIEN).heartbeat(2).take());
        apply(log.add(mark(2)).take());
        SortedMap<Long, DigestFinding> inTime = applier.status().digests();

        apply(log.expectedAt(ExpectedPosition.UNKNOWN, log.upserted(3, ALIEN))
                .expectedAt(4, mark(2))
                .take());

        assertThat(inTime).containsOnlyKeys(1L);
        assertThat(applier.status().digests()).isEqualTo(inTime);
    }

    @Test
    void aMarkThatProvesNothingIsNotComparedWith() {
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, new Bounded(), told);
        apply(log.put(1, ALIEN).heartbeat(2).take());
        apply(log.expected(new ExpectedPosition(2, 1, 1), mark(2)).take());
        assertThat(applier.status().digests()).isEmpty();

        apply(log.expected(new ExpectedPosition(3, 3, 1), mark(2)).take());
        assertThat(applier.status().digests()).containsOnlyKeys(1L);
    }

    private static Heartbeat mark(long number) {
        return new Heartbeat(ChangeLog.at(number), ChangeLog.version(number), new TreeMap<>(Map.of(1L, Digest.EMPTY)));
    }

    @Test
    void aChangeFromTheFutureIsAppliedAndItsTimeIsNotBelieved() {
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, new Bounded(), told);
        apply(log.heartbeat(90).take());

        apply(log.add(new ChangeEvent.Upserted(
                        log.key("1"),
                        ChangeLog.version(95),
                        ChangeLog.at(1_000_000),
                        UpsertKind.CREATE,
                        ChangeLog.document(ALIEN)))
                .take());

        assertThat(entries(1)).isEqualTo(1);
        assertThat(applier.status().checkpoint().progress())
                .isEqualTo(new Progress(ChangeLog.at(90), ChangeLog.version(95)));
        assertThat(store.rowStates(List.of(log.key("1"))).get(0).orElseThrow().times())
                .isEmpty();
        assertThat(applier.status().refusals().count()).isEqualTo(1);
        assertThat(told.visible).isEmpty();
    }

    @Test
    void aForgedVersionCountsAsProgressOnlyUntilTheNextTrueRecord() {
        apply(log.put(1, ALIEN).heartbeat(10).take());
        apply(log.add(new ChangeEvent.Deleted(log.key("2"), ChangeLog.version(99_999), ChangeLog.at(11)))
                .take());

        apply(log.heartbeat(12).take());

        assertThat(applier.status().checkpoint().progress())
                .isEqualTo(new Progress(ChangeLog.at(12), ChangeLog.version(12)));
        apply(log.put(13, ALIEN.replace("\"id\":1", "\"id\":3")).take());
        assertThat(entries(1)).isEqualTo(2);
    }

    @Test
    void whatIsInQuarantineIsDismissedWhateverVersionItClaims() {
        apply(log.garbage(99_999, "1").garbage("2").heartbeat(3).take());
        assertThat(quarantine()).hasSize(2);

        apply(log.forget(4, "1").forget(5, "2").take());

        assertThat(quarantine()).isEmpty();
        assertThat(store.rowStates(List.of(log.key("1"), log.key("2")))).containsOnly(Optional.empty());
        apply(log.put(6, ALIEN).take());
        assertThat(entries(1)).isEqualTo(1);
    }

    @Test
    void aRecordWithoutAKeyOfItsTableIsDismissedToo() {
        KeyBytes key = KeyBytes.wrap("junk".getBytes(StandardCharsets.UTF_8));
        apply(log.add(new WireRecord(key, key, Map.of())).heartbeat(3).take());
        assertThat(quarantine()).hasSize(1);

        apply(log.add(new ChangeEvent.Forgotten(key, ChangeLog.version(4), ChangeLog.at(4)))
                .take());

        assertThat(quarantine()).isEmpty();
    }

    @Test
    void aWriterThatHasNothingToCommitDismissesToo() {
        apply(log.put(1, ALIEN).delete(2, "1").heartbeat(3).take());
        apply(log.garbage("1").garbage(99_999, "2").heartbeat(3).take());
        assertThat(quarantine()).hasSize(2);

        apply(log.forget(3, "1").forget(3, "2").take());

        assertThat(quarantine()).isEmpty();
        assertThat(store.rowStates(List.of(log.key("1"), log.key("2")))).containsOnly(Optional.empty());
    }

    @Test
    void whatIsDismissedInTheBatchThatBringsItLeavesNothing() {
        apply(log.garbage(99_999, "1").forget(4, "1").take());

        assertThat(quarantine()).isEmpty();
        assertThat(store.rowStates(List.of(log.key("1")))).containsOnly(Optional.empty());
    }

    @Test
    void anOldDeleteThatIsToldAgainDismissesNothing() {
        apply(log.put(1, ALIEN)
                .delete(2, "1")
                .forget(2, "1")
                .garbage(9, "1")
                .heartbeat(9)
                .take());

        apply(log.forget(2, "1").take());

        assertThat(quarantine()).hasSize(1);
    }

    @Test
    void aVersionThatTheWriterHadNotGivenIsRefusedAndAllThatItHidComesIn() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);
        apply(log.put(1, ALIEN).heartbeat(2).take());
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 2);
        assertThat(applier.goBackIfRefuted()).isFalse();
        clock.advance(Duration.ofSeconds(1));

        apply(log.forge(99_999, ALIEN.replace("1979", "2099")).take());
        apply(log.put(3, ALIEN.replace("1979", "1980")).take());
        apply(log.put(4, UpsertKind.READ, ALIEN.replace("\"id\":1", "\"id\":2")).take());
        apply(log.heartbeat(5).take());
        assertThat(state("1").version()).isEqualTo(ChangeLog.version(99_999));
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 5);

        assertThat(applier.goBackIfRefuted()).isTrue();
        assertThat(applier.status().restoring()).isTrue();
        assertThat(store.checkpoint().nextOffset()).isEqualTo(2);
        apply(log.from(2));

        assertThat(applier.status().restoring()).isFalse();
        assertThat(applier.status().checkpoint().progress())
                .isEqualTo(new Progress(ChangeLog.at(5), ChangeLog.version(5)));
        assertThat(state("1").version()).isEqualTo(ChangeLog.version(3));
        assertThat(state("2").version()).isEqualTo(ChangeLog.version(4));
        assertThat(quarantine()).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 5);
        assertThat(applier.goBackIfRefuted()).isFalse();
    }

    @Test
    void aRowThatIsNotWrittenAfterAForgedVersionIsQuarantinedUntilItIs() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);
        apply(log.put(1, ALIEN).take());
        apply(log.forge(99_999, ALIEN.replace("1979", "2099")).heartbeat(2).take());
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 2);

        assertThat(applier.goBackIfRefuted()).isTrue();
        apply(log.from(0));

        assertThat(entries(1)).isZero();
        assertThat(quarantine()).singleElement().satisfies(record -> {
            assertThat(record.offset()).isEqualTo(1);
            assertThat(record.reason())
                    .isEqualTo("expected a version that the writer has given, but got 0001000000000099999,"
                            + " and it had given none above 0001000000000000002");
        });
        apply(log.put(3, ALIEN).take());
        assertThat(entries(1)).isEqualTo(1);
        assertThat(quarantine()).isEmpty();
    }

    @Test
    void whatOneAnswerRefutedStaysRefutedWhenALaterOneIsHigher() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);
        apply(log.forge(150, ALIEN).heartbeat(2).take());
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 100);
        assertThat(applier.goBackIfRefuted()).isTrue();
        apply(log.from(0));
        apply(log.forge(99_999, ALIENS).heartbeat(3).take());
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 200);
        assertThat(applier.goBackIfRefuted()).isTrue();

        apply(log.from(0));

        assertThat(quarantine()).extracting(QuarantinedRecord::offset).containsExactlyInAnyOrder(0L, 2L);
        clock.set(ChangeLog.at(120));
        apply(log.put(120, ALIEN).take());
        assertThat(state("1").version()).isEqualTo(ChangeLog.version(120));
        assertThat(quarantine()).extracting(QuarantinedRecord::offset).containsExactly(2L);
    }

    @Test
    void ofForgedVersionsThatAreReadAgainOneCountsAsQuarantined() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);
        apply(log.forge(99_999, ALIEN).forge(88_888, ALIEN).heartbeat(2).take());
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 2);
        assertThat(applier.goBackIfRefuted()).isTrue();

        apply(log.from(0));

        assertThat(told.counts).containsExactly(new ApplyCounts(1, 1, 0), new ApplyCounts(0, 1, 1));
        assertThat(quarantine()).extracting(QuarantinedRecord::offset).containsExactly(0L);
    }

    @Test
    void aForgedVersionOfARecordThatCannotBeReadDoesNotKeepItsRowInQuarantine() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);
        apply(log.garbage(99_999, "1").heartbeat(2).take());
        apply(log.put(3, ALIEN).heartbeat(4).take());
        assertThat(entries(1)).isZero();
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 4);

        assertThat(applier.goBackIfRefuted()).isTrue();
        apply(log.from(0));

        assertThat(entries(1)).isEqualTo(1);
        assertThat(quarantine()).isEmpty();
    }

    @Test
    void whatWasPutAwayAndHealedStaysHealedWhenTheLogIsReadAgain() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);
        apply(log.garbage("1").put(1, ALIEN).take());
        apply(log.forge(99_999, ALIEN.replace("\"id\":1", "\"id\":2"))
                .heartbeat(2)
                .take());
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 2);

        assertThat(applier.goBackIfRefuted()).isTrue();
        apply(log.from(0));

        assertThat(entries(1)).isEqualTo(1);
        assertThat(quarantine()).extracting(QuarantinedRecord::offset).containsExactly(2L);
    }

    @Test
    void aForgedHeartbeatIsRefusedWhenTheLogIsReadAgain() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);
        apply(log.add(new Heartbeat(ChangeLog.at(1), ChangeLog.version(99_999))).take());
        apply(log.put(2, ALIEN).heartbeat(3).take());
        clock.advance(Duration.ofSeconds(1));
        writer.given(clock, 3);

        assertThat(applier.goBackIfRefuted()).isTrue();
        apply(log.from(0));

        assertThat(entries(1)).isEqualTo(1);
        assertThat(applier.status().refusals().last())
                .hasValueSatisfying(why -> assertThat(why).contains("offset 0", "given none above"));
    }

    @Test
    void aWriterWhoseVersionsAreBelowThoseOfTheHeartbeatsRefutesNothing() {
        Bounded other = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, other, told);
        apply(log.put(8, ALIEN).heartbeat(9).take());
        clock.advance(Duration.ofSeconds(1));

        other.given(clock, 3);

        assertThat(applier.goBackIfRefuted()).isFalse();
        assertThat(entries(1)).isEqualTo(1);
    }

    @Test
    void knowsWhenItLastHadEverything() {
        Instant opened = clock.instant();
        assertThat(applier.lastCaughtUp())
                .as("a shard that begins has missed nothing")
                .isEqualTo(opened);
        apply(log.heartbeat(50).take());
        assertThat(applier.lastCaughtUp()).as("told by an older heartbeat").isEqualTo(opened);
        clock.set(ChangeLog.at(190));
        apply(log.heartbeat(180).take());
        assertThat(applier.lastCaughtUp()).isEqualTo(ChangeLog.at(180));
        applier.caughtUpAt(ChangeLog.at(300));
        clock.set(ChangeLog.at(300));
        applier.persistIfDue();
        assertThat(store.checkpoint().lastCaughtUp()).isEqualTo(ChangeLog.at(300));
    }

    @Test
    void knowsItByTheClockOfThisProcess() {
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, new Uncertain(), told);
        clock.set(ChangeLog.at(200));

        apply(log.heartbeat(205).take());

        assertThat(applier.lastCaughtUp()).isEqualTo(ChangeLog.at(195));
    }

    @Test
    void aShardThatRestoresHasNotHadEverythingWhateverItsHeartbeatsSay() {
        apply(log.heartbeat(100).take());
        clock.set(ChangeLog.at(200));
        log.heartbeat(150).heartbeat(190);
        reopen(log.end());

        apply(log.take(1));
        assertThat(applier.lastCaughtUp()).isEqualTo(ChangeLog.at(100));
        assertThat(applier.seenCaughtUp()).isEqualTo(Instant.MIN);

        apply(log.take());
        assertThat(applier.seenCaughtUp()).isEqualTo(ChangeLog.at(190));
    }

    @Test
    void aRowIsAppliedNowAndNeverBeforeItWasCommitted() {
        apply(log.put(90, ALIEN).put(130, ALIEN.replace("\"id\":1", "\"id\":2")).take());

        assertThat(state("1").times()).contains(Times.of(ChangeLog.at(90), clock.instant()));
        assertThat(state("2").times()).contains(Times.of(ChangeLog.at(130), ChangeLog.at(130)));
    }

    @Test
    void anIndexThatIsAddedGetsTheRowsThatWereThereBefore() {
        beginWithoutTheLastIndex();
        apply(log.put(1, ALIEN).put(2, ALIENS).heartbeat(3).take());
        reconcile();
        assertThat(phase(3)).isEqualTo(new GenerationState.Building(0, 3, 0, clock.instant(), "it is wanted now"));

        applier.copy(new BackfillBatch(Map.of(3L, clock.instant()), 0, List.of(copied(9, ALIEN), copied(1, ALIEN)), 1));
        reconcile();
        assertThat(store.checkpoint().generation(3).orElseThrow().phase())
                .as("stored at once, to go on from")
                .isEqualTo(new GenerationState.Building(1, 3, 0, clock.instant(), "it is wanted now"));
        assertThat(applier.status().checkpoint()).isEqualTo(store.checkpoint());
        assertThat(entries(3)).isEqualTo(1);
        applier.copy(new BackfillBatch(Map.of(3L, clock.instant()), 1, List.of(copied(2, ALIENS)), 3));
        reconcile();

        assertThat(phase(3)).isInstanceOf(GenerationState.Verifying.class);
        assertThat(entries(3)).isEqualTo(2);
        assertThat(tally(3).rows()).isEqualTo(2);
        apply(log.put(4, ALIEN.replace("\"id\":1", "\"id\":3")).take());
        assertThat(entries(3)).isEqualTo(3);
    }

    @Test
    void whatTheCopyLacksIsLookedForOnceMoreWhenTheShardIsWhereTheLogEnded() {
        beginWithoutTheLastIndex();
        apply(log.put(1, ALIEN).take());
        reconcile();
        applier.copy(new BackfillBatch(Map.of(3L, clock.instant()), 0, List.of(), 1));
        applier.copied(3, 2);
        reconcile();
        assertThat(phase(3))
                .as("the shard is not there yet")
                .isEqualTo(new GenerationState.Building(1, 1, 0, clock.instant(), "it is wanted now"));

        apply(log.heartbeat(2).take());
        reconcile();
        assertThat(phase(3)).isInstanceOfSatisfying(GenerationState.Building.class, again -> {
            assertThat(again.copied()).isZero();
            assertThat(again.copyEnd()).isEqualTo(2);
            assertThat(again.passes()).isEqualTo(1);
        });
        applier.copy(new BackfillBatch(Map.of(3L, clock.instant()), 0, List.of(), 2));
        assertThat(applier.reconcile(plan))
                .as("where the log ends now is not known")
                .isFalse();
        applier.copied(3, 2);
        reconcile();
        assertThat(phase(3)).isInstanceOf(GenerationState.Degraded.class);
    }

    @Test
    void aBuildThatCannotGoOnIsGivenUpAndNothingElseIs() {
        beginWithoutTheLastIndex();
        apply(log.put(1, ALIEN).take());
        reconcile();
        GenerationState other = phase(1);

        applier.giveUp(List.of(1L, 3L, 99L), "its topic is gone");

        assertThat(phase(3)).isEqualTo(new GenerationState.Degraded(false, clock.instant(), "its topic is gone"));
        assertThat(phase(1)).isEqualTo(other);
    }

    @Test
    void anIndexThatIsNotWantedAnyMoreIsGoneEvenAfterAPowerCut() {
        apply(log.put(1, ALIEN).take());

        applier.reconcile(withoutTheLastIndex());
        reconcile(withoutTheLastIndex());

        assertThat(applier.status().checkpoint().generations()).containsOnlyKeys(1L, 2L);
        stores.crash(ID, 99);
        store = stores.open(ID, new ShardOrigin("topic", "text"));
        assertThat(store.checkpoint().generations()).containsOnlyKeys(1L, 2L);
        assertThat(store.checkpoint().nextOffset()).isEqualTo(1);
    }

    @Test
    void aComparisonWithTheTableMovesTheGenerationItIsAbout() {
        apply(log.put(1, ALIEN).heartbeat(2).take());
        reconcile();
        assertThat(phase(1)).isInstanceOf(GenerationState.Verifying.class);
        GenerationState other = phase(2);

        applier.judge(99, new VerificationResult.Equal());
        applier.judge(2, new VerificationResult.Undecided("too late"));
        applier.judge(1, new VerificationResult.Equal());

        assertThat(phase(1)).isEqualTo(new GenerationState.Ready(clock.instant(), "proven equal to its table"));
        assertThat(phase(2)).isEqualTo(other);
        clock.advance(Duration.ofSeconds(1));
        applier.judge(1, new VerificationResult.Equal());
        assertThat(phase(1).since()).as("nothing new").isEqualTo(clock.instant().minusSeconds(1));
        applier.judge(1, new VerificationResult.Different("an entry is lacking"));
        assertThat(phase(1)).isEqualTo(new GenerationState.Degraded(false, clock.instant(), "an entry is lacking"));
    }

    @Test
    void rowsAreMadeWhatTheirTableSays() {
        apply(log.put(1, ALIEN).put(2, ALIENS).heartbeat(3).take());
        RowRepair right = new RowRepair(
                log.key("1"),
                Optional.of(
                        new RowRepair.Fact(ChangeLog.version(1), ChangeLog.document(ALIEN.replace("Weaver", "Hurt")))),
                ChangeLog.version(3),
                new TreeMap<>(),
                Optional.empty());
        RowRepair gone =
                new RowRepair(log.key("2"), Optional.empty(), ChangeLog.version(3), new TreeMap<>(), Optional.empty());
        RowRepair late =
                new RowRepair(log.key("1"), Optional.empty(), ChangeLog.version(0), new TreeMap<>(), Optional.empty());

        applier.repair(List.of(late, right, gone));

        assertThat(entries(1)).isEqualTo(1);
        assertThat(tally(1).entries()).isEqualTo(1);
        assertThat(state("2").isLive()).isFalse();
        assertThat(store.checkpoint().liveRows()).isEqualTo(1);
        assertThat(applier.status().checkpoint()).isEqualTo(store.checkpoint());
    }

    @Test
    void tellsOfChangedKeysWhileItFollows() {
        apply(log.put(1, ALIEN).take());
        apply(log.put(2, ALIEN.replace("1979", "1980")).take());
        assertThat(told.moved).containsExactly(0L, 1L);
        log.put(3, ALIEN.replace("1979", "1981"));
        reopen(log.end());

        apply(log.take());

        assertThat(told.moved).as("not while it restores").hasSize(2);
    }

    @Test
    void whatMovedInMemoryIsStoredAfterTwoSecondsAndNotSooner() {
        apply(log.heartbeat(4).take());
        clock.advance(Duration.ofMillis(1_999));
        apply(log.heartbeat(5).take());
        assertThat(store.checkpoint().nextOffset()).isEqualTo(1);

        clock.advance(Duration.ofMillis(1));
        apply(log.heartbeat(6).take());

        assertThat(store.checkpoint().nextOffset()).isEqualTo(3);
    }

    @Test
    void havingEverythingIsStoredOnceAMinuteWhereNothingElseMoves() {
        apply(log.heartbeat(100).take());
        Instant first = store.checkpoint().lastCaughtUp();

        applier.caughtUpAt(first.plusSeconds(60));
        applier.persist();
        assertThat(store.checkpoint().lastCaughtUp()).isEqualTo(first);

        applier.caughtUpAt(first.plusSeconds(61));
        applier.persist();
        assertThat(store.checkpoint().lastCaughtUp()).isEqualTo(first.plusSeconds(61));
    }

    @Test
    void theEpochOfTheLeaderStaysWhereABatchDoesNotTellIt() {
        apply(new ChangeBatch(log.put(1, ALIEN).take().records(), 1, OptionalInt.of(7)));
        apply(new ChangeBatch(log.put(2, ALIEN).take().records(), 2, OptionalInt.empty()));
        assertThat(store.checkpoint().leaderEpoch()).hasValue(7);

        apply(new ChangeBatch(log.put(3, ALIEN).take().records(), 3, OptionalInt.of(8)));
        assertThat(store.checkpoint().leaderEpoch()).hasValue(8);
    }

    @Test
    void aShardThatHasEverythingAsItIsOpenedHasMissedNothing() {
        apply(log.put(1, ALIEN).heartbeat(2).take());
        clock.set(ChangeLog.at(500));

        reopen(log.end());
        assertThat(applier.seenCaughtUp()).isEqualTo(ChangeLog.at(500));

        reopen(log.end() + 1);
        assertThat(applier.seenCaughtUp()).isEqualTo(Instant.MIN);
    }

    @Test
    void tellsTheClockOfTheWriterWhichTimesWereSeen() {
        Bounded writer = new Bounded();
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, writer, told);

        apply(log.put(1, ALIEN).heartbeat(90).take());

        assertThat(writer.seen).isEqualTo(Map.of(ChangeLog.at(90), clock.instant()));
    }

    @Test
    void aShardThatBeginsHasMissedNothingHoweverMuchThereIs() {
        log.put(1, ALIEN);
        stores.crash(ID, 0);
        stores.drop(ID);

        reopen(log.end());

        assertThat(applier.status().restoring()).isTrue();
        assertThat(applier.seenCaughtUp()).isEqualTo(clock.instant());
    }

    @Test
    void recordsThatAreNotBelievedAreLoggedOnceAnOpening() {
        applier = ShardApplier.open(ID, plan, store, 0, clock.instant(), clock, new Bounded(), told);
        try (LoggedLines lines = LoggedLines.listen()) {
            apply(log.heartbeat(90).take());
            assertThat(lines.all()).noneMatch(line -> line.contains("does not believe"));

            apply(log.heartbeat(1_000_000).take());
            assertThat(lines.all())
                    .filteredOn(line -> line.contains("does not believe"))
                    .hasSize(1);
            apply(log.heartbeat(1_000_000).take());
            assertThat(lines.all())
                    .filteredOn(line -> line.contains("does not believe"))
                    .hasSize(1);
        }
    }

    @Test
    void recordsThatCannotBeAppliedAreLoggedOnceABatch() {
        try (LoggedLines lines = LoggedLines.listen()) {
            apply(log.put(1, ALIEN).garbage("2").garbage("3").take());

            assertThat(lines.all())
                    .filteredOn(line -> line.contains("cannot be applied"))
                    .singleElement()
                    .asString()
                    .contains("2 records of shard films-0", "the first at offset 1");
        }
    }

    @Test
    void anIndexThatComesBackBeginsWithoutTheEntriesItHadBefore() {
        apply(log.put(1, ALIEN).take());
        reconcile(withoutTheLastIndex());

        reconcile();

        assertThat(phase(3)).isInstanceOf(GenerationState.Building.class);
        assertThat(entries(3)).isZero();
    }

    private void beginWithoutTheLastIndex() {
        stores.crash(ID, 0);
        stores.drop(ID);
        store = stores.open(ID, new ShardOrigin("topic", "text"));
        applier =
                ShardApplier.open(ID, withoutTheLastIndex(), store, 0, clock.instant(), clock, WriterClock.SAME, told);
    }

    private DesiredTable withoutTheLastIndex() {
        return Tables.plan(new TableDefinition(
                films.name(),
                films.primaryKey(),
                films.partitions(),
                films.indexes().subList(0, 2)));
    }

    private void reconcile() {
        reconcile(plan);
    }

    private void reconcile(DesiredTable wanted) {
        boolean busy = true;
        while (busy) {
            busy = applier.reconcile(wanted);
        }
    }

    private GenerationState phase(long generation) {
        return applier.status()
                .checkpoint()
                .generation(generation)
                .orElseThrow()
                .phase();
    }

    /** A row that was read again. */
    private BackfillBatch.Row copied(long number, String row) {
        ChangeEvent event = log.upserted(number, row);
        SortedMap<Long, DerivedRow> derived =
                new RowDeriver(plan.generations()).derive(event.key(), ChangeLog.document(row));
        return new BackfillBatch.Row(event.key(), event.version(), derived);
    }

    private RowState state(String key) {
        return store.rowStates(List.of(log.key(key))).get(0).orElseThrow();
    }

    private void reopen(long end) {
        stores.crash(ID, 0);
        store = stores.open(ID, new ShardOrigin("topic", "text"));
        applier = ShardApplier.open(ID, plan, store, end, clock.instant(), clock, WriterClock.SAME, told);
    }

    private int entries(long generation) {
        int count = 0;
        try (ShardView view = store.view();
                EntryScan scan = view.scan(generation, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                count++;
            }
        }
        return count;
    }

    private List<QuarantinedRecord> quarantine() {
        try (ShardView view = store.view()) {
            List<QuarantinedRecord> records = new ArrayList<>();
            view.quarantine(records::add);
            return records;
        }
    }

    private void apply(ChangeBatch batch) {
        applier.apply(batch, clock.instant());
    }

    /** A writer whose clock is five seconds ahead, and may be ten. */
    private static final class Uncertain implements WriterClock {
        @Override
        public Instant at(Instant local) {
            return local.plusSeconds(10);
        }

        @Override
        public Optional<Duration> skew() {
            return Optional.of(Duration.ofSeconds(5));
        }
    }

    /** A writer whose clock shows the same, for certain. */
    private static final class Bounded implements WriterClock {
        private final Map<Instant, Instant> seen = new HashMap<>();
        private int doubts;
        private Optional<CommitBound> bound = Optional.empty();

        /** Asked now, it has given this version and none above. */
        void given(Clock clock, long number) {
            bound = Optional.of(new CommitBound(clock.instant(), ChangeLog.version(number)));
        }

        @Override
        public Optional<CommitBound> bound() {
            return bound;
        }

        @Override
        public Instant at(Instant local) {
            return local;
        }

        @Override
        public Instant latest(Instant local) {
            return local;
        }

        @Override
        public void doubt() {
            doubts++;
        }

        @Override
        public void seen(Instant writer, Instant local) {
            seen.put(writer, local);
        }
    }

    private static List<Duration> millis(long... times) {
        return LongStream.of(times).mapToObj(Duration::ofMillis).toList();
    }

    /** Remembers what it was told. */
    private static final class Told implements ShardApplier.Listener {
        private final List<ApplyCounts> counts = new ArrayList<>();
        private final List<Duration> visible = new ArrayList<>();
        private final List<Long> moved = new ArrayList<>();
        private final Map<Stage, List<Duration>> stages = new EnumMap<>(Stage.class);

        @Override
        public void applied(ShardId shard, ApplyCounts more) {
            counts.add(more);
        }

        @Override
        public void visible(ShardId shard, StageLatencies latencies) {
            visible.addAll(latencies.totals().each());
            for (Stage stage : Stage.values()) {
                stages.put(stage, latencies.in(stage).each());
            }
        }

        @Override
        public void keysChanged(ShardId shard, Map<Long, KeyChanges> changes) {
            moved.add(Objects.requireNonNull(changes.get(2L)).moved());
        }
    }
}
