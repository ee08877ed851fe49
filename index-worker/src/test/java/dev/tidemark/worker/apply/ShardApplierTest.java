package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.catalog.TablePlan;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Handover;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.clocks.WriterTime;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.QuarantinedRecord;
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

    private final TableDefinition films = Tables.films();
    private final TablePlan plan = Tables.plan(films);
    private final InMemoryShardStores stores = new InMemoryShardStores();
    private final SettableClock clock = new SettableClock(ChangeLog.at(100));
    private final ChangeLog log = new ChangeLog(films);
    private final Told told = new Told();
    private ShardStore store = stores.open(ID, new ShardOrigin("topic", "text"));
    private ShardApplier applier = ShardApplier.open(ID, plan, store, 0, clock, WriterTime.SAME, told);

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
    void redeliveryChangesNothing() {
        apply(log.put(1, ALIEN).put(2, ALIEN.replace("Weaver", "Hurt")).take());
        apply(new ChangeBatch(log.from(0).records(), 4, OptionalInt.empty()));
        assertThat(told.counts).containsExactly(new Counts(2, 0, 0), new Counts(0, 2, 0));
        assertThat(store.checkpoint().generations().values())
                .allMatch(status -> status.tally().entries() == 1);
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
    void heartbeatsAreInMemoryAtOnceAndStoredAfterAWhile() {
        apply(log.heartbeat(5).take());
        assertThat(applier.status().checkpoint().progress().completeUpTo()).isEqualTo(ChangeLog.at(5));
        assertThat(store.checkpoint().nextOffset()).isZero();
        clock.advance(Duration.ofSeconds(3));
        applier.persistIfDue();
        assertThat(store.checkpoint().nextOffset()).isEqualTo(1);
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
        applier = ShardApplier.open(ID, plan, store, 0, clock, new Uncertain(), told);

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
            headers.put(Handover.HEADER, "20000,70000");
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
    void aSecondPoisonReplacesTheFirst() {
        apply(log.garbage("1").take());
        apply(log.garbage(7, "1").take());
        assertThat(store.checkpoint().quarantined()).isEqualTo(1);
        assertThat(quarantine()).extracting(QuarantinedRecord::offset).containsExactly(1L);
    }

    @Test
    void aPoisonOlderThanTheRowIsStale() {
        apply(log.put(5, ALIEN).garbage(4, "1").take());
        assertThat(told.counts).containsExactly(new Counts(1, 1, 0));
        assertThat(store.checkpoint().quarantined()).isZero();
    }

    @Test
    void aHeartbeatThatCannotBeReadIsCountedAndPromisesNothing() {
        log.add(new WireRecord(ChangeCodec.HEARTBEAT_KEY, null, Map.of()));
        apply(log.take());
        assertThat(told.counts).containsExactly(new Counts(0, 0, 1));
        assertThat(applier.status().checkpoint().progress()).isEqualTo(Progress.UNKNOWN);
        assertThat(applier.status().checkpoint().quarantined()).isZero();
    }

    @Test
    void knowsWhenItLastHadEverything() {
        Instant opened = clock.instant();
        assertThat(applier.lastCaughtUp())
                .as("a shard that begins has missed nothing")
                .isEqualTo(opened);
        apply(log.heartbeat(50).take());
        assertThat(applier.lastCaughtUp()).isEqualTo(opened);
        applier.caughtUpAt(ChangeLog.at(200));
        clock.set(ChangeLog.at(200));
        applier.persistIfDue();
        assertThat(store.checkpoint().lastCaughtUp()).isEqualTo(ChangeLog.at(200));
    }

    private void reopen(long end) {
        stores.crash(ID, 0);
        store = stores.open(ID, new ShardOrigin("topic", "text"));
        applier = ShardApplier.open(ID, plan, store, end, clock, WriterTime.SAME, told);
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
            return view.quarantine(10);
        }
    }

    private void apply(ChangeBatch batch) {
        applier.apply(batch, clock.instant());
    }

    /** A writer whose clock is five seconds ahead, and may be ten. */
    private static final class Uncertain implements WriterTime {
        @Override
        public Instant at(Instant local) {
            return local.plusSeconds(10);
        }

        @Override
        public Optional<Duration> skew() {
            return Optional.of(Duration.ofSeconds(5));
        }
    }

    private static List<Duration> millis(long... times) {
        return LongStream.of(times).mapToObj(Duration::ofMillis).toList();
    }

    /** Remembers what it was told. */
    private static final class Told implements ShardApplier.Listener {
        private final List<Counts> counts = new ArrayList<>();
        private final List<Duration> visible = new ArrayList<>();
        private final Map<Stage, List<Duration>> stages = new EnumMap<>(Stage.class);

        @Override
        public void applied(ShardId shard, Counts more) {
            counts.add(more);
        }

        @Override
        public void visible(ShardId shard, Passages passages) {
            visible.addAll(passages.totals().each());
            for (Stage stage : Stage.values()) {
                stages.put(stage, passages.in(stage).each());
            }
        }
    }
}
