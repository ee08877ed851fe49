package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.SourceMark;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

/** How complete a shard is whose rows come from another database. */
class SourceProgressTest {
    private static final ShardId ID = new ShardId("films", 0);
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\"]}";

    private final TableDefinition films = Tables.films();
    private final SettableClock clock = new SettableClock(ChangeLog.at(100));
    private final ChangeCodec codec = new ChangeCodec(films.name());
    private final ChangeLog log = new ChangeLog(films);
    private final List<Duration> ages = new ArrayList<>();
    private final ShardStore store = new InMemoryShardStores().open(ID, new ShardOrigin("topic", "text"));
    private ShardApplier applier = open(0);

    @Test
    void timesOfChangesDoNotMoveTheWatermark() {
        apply(brought(1).add(ofSource(2, Optional.of(ChangeLog.at(1)))).take());
        apply(brought(50).take());

        assertThat(progress().watermark()).contains(ChangeLog.at(1));
        assertThat(progress().through()).isEqualTo(ChangeLog.version(50));
    }

    @Test
    void onlyHeartbeatsDoAndByTheWatermarkOfTheSource() {
        apply(brought(1).add(ofSource(20, Optional.of(ChangeLog.at(10)))).take());
        apply(log.add(ofSource(40, Optional.of(ChangeLog.at(30)))).take());

        assertThat(progress()).isEqualTo(new Progress(ChangeLog.at(30), ChangeLog.version(40)));
        assertThat(ages).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(10));
    }

    @Test
    void aWatermarkOfASourceIsNeverAheadOfTheHeartbeat() {
        apply(log.add(ofSource(20, Optional.of(ChangeLog.at(25)))).take());

        assertThat(progress().watermark()).contains(ChangeLog.at(20));
    }

    @Test
    void untilTheFirstWatermarkTheShardAnswersAndItsFreshnessIsUnknown() {
        apply(brought(1).add(ofSource(2, Optional.empty())).take());

        assertThat(progress().watermark()).isEmpty();
        assertThat(progress().isWhole()).isTrue();
        assertThat(store.checkpoint().progress().isWhole()).isTrue();
    }

    @Test
    void aTableThatBeginsToFollowASourceForgetsWhatItSaidBefore() {
        apply(log.put(1, ALIEN).heartbeat(30).take());
        assertThat(progress().watermark()).contains(ChangeLog.at(30));

        apply(log.add(ofSource(30, Optional.empty())).take());
        assertThat(progress().watermark()).isEmpty();

        apply(log.add(ofSource(60, Optional.of(ChangeLog.at(20)))).take());
        assertThat(progress().watermark()).contains(ChangeLog.at(20));
    }

    @Test
    void evenWhereItWasClosedMeanwhile() {
        apply(log.put(1, ALIEN).heartbeat(30).take());
        applier.persist();
        brought(40).add(ofSource(50, Optional.of(ChangeLog.at(20))));
        brought(55);
        applier = open(log.end());

        apply(log.take(2));
        assertThat(progress().watermark()).contains(ChangeLog.at(30));
        apply(log.take());
        assertThat(progress()).isEqualTo(new Progress(ChangeLog.at(20), ChangeLog.version(55)));
    }

    @Test
    void anyRowOfAnotherEpochEndsTheWatermarkBecauseTheFactsWentBackAndTheSourceWithThem() {
        apply(brought(1).add(ofSource(20, Optional.of(ChangeLog.at(10)))).take());
        apply(brought(afterLoss(30, UpsertKind.READ)).take());

        assertThat(progress().watermark()).isEmpty();
        assertThat(progress().isWhole()).isTrue();

        apply(log.add(ofSource(40, Optional.of(ChangeLog.at(5)))).take());
        assertThat(progress().watermark()).contains(ChangeLog.at(5));
    }

    @Test
    void evenBehindRecordsThatAreMissing() {
        apply(brought(1).add(ofSource(20, Optional.of(ChangeLog.at(10)))).take());
        apply(brought(21).take());
        apply(brought(afterLoss(30, UpsertKind.UPDATE), Map.of(ExpectedPosition.HEADER, ExpectedPosition.NONE.text()))
                .take());

        assertThat(progress().watermark()).isEmpty();
    }

    @Test
    void evenWhileTheShardRestores() {
        apply(brought(1).add(ofSource(20, Optional.of(ChangeLog.at(10)))).take());
        applier.persist();
        brought(afterLoss(30, UpsertKind.UPDATE));
        brought(afterLoss(31, UpsertKind.UPDATE));
        applier = open(log.end());

        apply(log.take(1));
        assertThat(progress().watermark()).isEmpty();
        apply(log.take());
        assertThat(progress().watermark()).isEmpty();
    }

    @Test
    void aTableThatClientsWriteAgainIsCompleteByItsCommits() {
        apply(brought(1).add(ofSource(20, Optional.of(ChangeLog.at(10)))).take());
        apply(log.heartbeat(21).take());

        assertThat(progress().watermark()).contains(ChangeLog.at(21));
    }

    private ChangeLog brought(long number) {
        return brought(log.upserted(number, ALIEN), Map.of());
    }

    private ChangeLog brought(ChangeEvent event) {
        return brought(event, Map.of());
    }

    private ChangeLog brought(ChangeEvent event, Map<String, String> more) {
        WireRecord plain = codec.encode(event);
        Map<String, String> headers = new HashMap<>(plain.headers());
        headers.putAll(more);
        headers.put(ChangeCodec.ROW_SOURCE, "shop");
        return log.add(new WireRecord(plain.key(), plain.value(), headers));
    }

    /** A row as it is after the fact table has gone back in time. */
    private ChangeEvent afterLoss(long number, UpsertKind kind) {
        RowVersion version = new RowVersion(ChangeLog.version(number).epoch() + 1, number);
        ChangeEvent.Upserted row = (ChangeEvent.Upserted) log.upserted(number, ALIEN);
        return new ChangeEvent.Upserted(row.key(), version, row.committedAt(), kind, row.row());
    }

    private static Heartbeat ofSource(long number, Optional<Instant> watermark) {
        return new Heartbeat(ChangeLog.at(number), ChangeLog.version(number)).with(new SourceMark(watermark));
    }

    private Progress progress() {
        return applier.status().checkpoint().progress();
    }

    private void apply(ChangeBatch batch) {
        applier.apply(batch, clock.instant());
    }

    private ShardApplier open(long endOffset) {
        return ShardApplier.open(
                ID,
                Tables.plan(films),
                store,
                endOffset,
                clock.instant(),
                clock,
                WriterClock.SAME,
                new ShardApplier.Listener() {
                    @Override
                    public void sourceAge(ShardId shard, Duration age) {
                        ages.add(age);
                    }
                });
    }
}
