package dev.tidemark.worker.forecast;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Compares forecasts with batches as Kafka's producer makes them. */
class TopicForecastTest {
    private static final int ROWS = 5_000;
    private static final int BATCH_BYTES = 100 * 1024;

    private final Random random = new Random(3);
    private final Map<Integer, MemoryRecordsBuilder> batches = new HashMap<>();
    private Instant now = Instant.parse("2026-11-28T00:00:00Z");
    private long full;

    @ParameterizedTest
    @ValueSource(strings = {"keys_only", "[title]", "all"})
    void theForecastOfATopicIsCloseToTheSizeOfItsBatches(String projection) throws Exception {
        TableDefinition films = Tables.catalog(
                        "tables: {films: {primaryKey: id, indexes: {it: {scope: global, key: [year], projection: "
                                + projection + "}}}}")
                .tables()
                .get(0);
        IndexDefinition index = films.indexes().get(0);
        IndexForecaster forecaster = new IndexForecaster(films, new IndexChange.Create(index));
        EntryDeriver deriver = new EntryDeriver(index);
        ChangeCodec codec = new ChangeCodec("films~it~7");

        for (int id = 1; id <= ROWS; id++) {
            RowDocument row = RowDocument.parse(row(id).getBytes(StandardCharsets.UTF_8));
            KeyBytes key = films.keyOf(row.tree());
            forecaster.row(key, row);
            now = now.plusNanos(1_000L * random.nextInt(40));
            WireRecord record = codec.encode(new ChangeEvent.Upserted(
                    key,
                    new RowVersion(3, 4_000_000 + id),
                    now,
                    UpsertKind.READ,
                    deriver.projected(row, films.keyFields())));
            deriver.partitions(key, PartialRow.of(row)).forEach(partition -> publish(partition, record));
        }

        long forecast = forecaster
                .forecast(1, CostBasis.of(Optional.empty(), 1))
                .placements()
                .orElseThrow()
                .topicBytes();
        assertThat((double) forecast / published()).isCloseTo(1, within(0.15));
    }

    private String row(int id) {
        return "{\"id\":" + id + ",\"year\":" + (1900 + random.nextInt(120)) + ",\"town\":\"town-"
                + random.nextInt(1_000) + "\",\"title\":\"" + Long.toHexString(random.nextLong()) + "\"}";
    }

    private void publish(int partition, WireRecord record) {
        MemoryRecordsBuilder batch = batches.computeIfAbsent(partition, any -> batch());
        KeyBytes value = record.value();
        batch.append(now.toEpochMilli(), record.key().array(), value == null ? null : value.array(), headers(record));
        if (batch.estimatedSizeInBytes() > BATCH_BYTES) {
            full += batch.build().sizeInBytes();
            batches.remove(partition);
        }
    }

    private Header[] headers(WireRecord record) {
        List<Header> headers = new ArrayList<>();
        record.headers().forEach((name, text) -> headers.add(header(name, text)));
        headers.add(
                header(PublishTimings.HEADER, new PublishTimings(random.nextInt(3_000), random.nextInt(9_000)).text()));
        return headers.toArray(Header[]::new);
    }

    private static Header header(String name, String text) {
        return new RecordHeader(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static MemoryRecordsBuilder batch() {
        return MemoryRecords.builder(
                ByteBuffer.allocate(2 * BATCH_BYTES),
                RecordBatch.CURRENT_MAGIC_VALUE,
                Compression.lz4().build(),
                TimestampType.CREATE_TIME,
                0);
    }

    private long published() {
        return full
                + batches.values().stream()
                        .mapToLong(batch -> batch.build().sizeInBytes())
                        .sum();
    }
}
