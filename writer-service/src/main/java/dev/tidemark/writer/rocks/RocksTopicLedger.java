package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.outbox.TopicRecord;

/** What the writer remembers of its topics, in RocksDB. */
public final class RocksTopicLedger implements TopicLedger {
    private static final String ENDS = "ends";
    private static final String LASTS = "lasts";
    private static final String CLEAN_FROM = "cleanFrom";

    private final RocksDatabase database;
    private final RocksTable meta;

    public RocksTopicLedger(WriterDatabase writer) {
        this.database = writer.database();
        this.meta = writer.table(WriterTable.META);
    }

    @Override
    public Optional<TopicRecord> find(String table) {
        byte[] stored = database.get(meta, MetaKeys.key(MetaKeys.TOPIC_PREFIX + table));
        return stored == null ? Optional.empty() : Optional.of(read(table, stored));
    }

    @Override
    public void save(String table, TopicRecord topic, boolean durably) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("id", topic.id());
        json.put("whole", topic.whole());
        write(topic.ends(), json.putObject(ENDS));
        write(topic.lasts(), json.putObject(LASTS));
        json.put(CLEAN_FROM, topic.cleanFrom());
        try (RocksBatch batch = new RocksBatch()) {
            batch.put(meta, MetaKeys.key(MetaKeys.TOPIC_PREFIX + table), RowJson.write(json));
            database.write(batch, durably);
        }
    }

    @Override
    public Optional<RowVersion> unsettled() {
        byte[] stored = database.get(meta, MetaKeys.UNSETTLED);
        return Optional.ofNullable(stored).map(ByteBuffer::wrap).map(in -> new RowVersion(in.getLong(), in.getLong()));
    }

    @Override
    public void unsettled(RowVersion since) {
        byte[] value = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(since.epoch())
                .putLong(since.sequence())
                .array();
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.put(meta, MetaKeys.UNSETTLED, value), true);
        }
    }

    @Override
    public void settled() {
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.delete(meta, MetaKeys.UNSETTLED), true);
        }
    }

    @Override
    public long nextSession(long least) {
        byte[] stored = database.get(meta, MetaKeys.SESSION);
        long last = stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
        long next = Math.max(last, least) + 1;
        try (RocksBatch batch = new RocksBatch()) {
            byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(next).array();
            database.write(batch.put(meta, MetaKeys.SESSION, value), true);
        }
        return next;
    }

    private static void write(Map<Integer, Long> byPartition, ObjectNode json) {
        new TreeMap<>(byPartition).forEach((partition, number) -> json.put(Integer.toString(partition), number));
    }

    private static Map<Integer, Long> numbers(JsonNode json) {
        Map<Integer, Long> byPartition = new TreeMap<>();
        json.properties()
                .forEach(entry -> byPartition.put(
                        Integer.valueOf(entry.getKey()), entry.getValue().asLong()));
        return byPartition;
    }

    private static TopicRecord read(String table, byte[] stored) {
        try {
            ObjectNode json = RowJson.parseObject(stored);
            return new TopicRecord(
                    json.path("id").asText(),
                    json.path("whole").asBoolean(),
                    numbers(json.path(ENDS)),
                    numbers(json.path(LASTS)),
                    json.path(CLEAN_FROM).asLong());
        } catch (BadJsonException e) {
            throw new IllegalStateException(
                    "Expected a note about the topic of table " + table + ", but " + e.getMessage(), e);
        }
    }
}
