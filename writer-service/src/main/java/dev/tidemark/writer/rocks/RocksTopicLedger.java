package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.outbox.TopicRecord;

/** What the writer remembers of its topics, in RocksDB. */
public record RocksTopicLedger(WriterDatabase writer) implements TopicLedger {
    private static final String ENDS = "ends";
    private static final String LASTS = "lasts";
    private static final String CLEAN_FROM = "cleanFrom";
    private static final String LEFT_OUT_SINCE = "leftOutSince";

    @Override
    public Optional<TopicRecord> find(String table) {
        byte[] stored = writer.database.get(writer.meta, MetaKeys.key(MetaKeys.TOPIC_PREFIX + table));
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
        json.put(LEFT_OUT_SINCE, topic.leftOutSince());
        writer.database.put(writer.meta, MetaKeys.key(MetaKeys.TOPIC_PREFIX + table), RowJson.write(json), durably);
    }

    @Override
    public Set<String> tables() {
        Set<String> tables = new TreeSet<>();
        KeyRange range = KeyRange.ofPrefix(KeyBytes.wrap(MetaKeys.key(MetaKeys.TOPIC_PREFIX)));
        try (RocksScan scan = writer.database.scan(writer.meta, range, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                String name = new String(scan.key(), StandardCharsets.UTF_8);
                tables.add(name.substring(MetaKeys.TOPIC_PREFIX.length()));
            }
        }
        return tables;
    }

    @Override
    public void forget(String table) {
        try (RocksBatch batch = new RocksBatch()) {
            byte[] key = MetaKeys.key(MetaKeys.TOPIC_PREFIX + table);
            writer.database.write(batch.delete(writer.meta, key), true);
        }
    }

    @Override
    public Optional<RowVersion> unsettled() {
        byte[] stored = writer.database.get(writer.meta, MetaKeys.UNSETTLED);
        return Optional.ofNullable(stored).map(ByteBuffer::wrap).map(in -> new RowVersion(in.getLong(), in.getLong()));
    }

    @Override
    public void unsettled(RowVersion since) {
        byte[] value = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(since.epoch())
                .putLong(since.sequence())
                .array();
        writer.database.put(writer.meta, MetaKeys.UNSETTLED, value, true);
    }

    @Override
    public void settled() {
        try (RocksBatch batch = new RocksBatch()) {
            writer.database.write(batch.delete(writer.meta, MetaKeys.UNSETTLED), true);
        }
    }

    @Override
    public long nextSession(long least) {
        long next = Math.max(lastSession(), least) + 1;
        writer.database.put(writer.meta, MetaKeys.SESSION, Bytes.ofLong(next), true);
        return next;
    }

    @Override
    public long lastSession() {
        byte[] stored = writer.database.get(writer.meta, MetaKeys.SESSION);
        return stored == null ? 0 : Bytes.toLong(stored);
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
                    json.path(CLEAN_FROM).asLong(),
                    json.path(LEFT_OUT_SINCE).asLong());
        } catch (BadJsonException e) {
            throw new IllegalStateException(
                    "Expected a note about the topic of table " + table + ", but " + e.getMessage(), e);
        }
    }
}
