package dev.tidemark.writer.rocks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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
    @Override
    public Optional<TopicRecord> find(String table) {
        byte[] stored = writer.database.get(writer.meta, MetaKeys.key(MetaKeys.TOPIC_PREFIX + table));
        return stored == null ? Optional.empty() : Optional.of(read(table, stored));
    }

    @Override
    public void save(String table, TopicRecord topic, boolean durably) {
        writer.database.put(writer.meta, MetaKeys.key(MetaKeys.TOPIC_PREFIX + table), RowJson.write(topic), durably);
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

    private static TopicRecord read(String table, byte[] stored) {
        try {
            return RowJson.as(TopicRecord.class, RowJson.parseObject(stored));
        } catch (BadJsonException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    "Expected a note about the topic of table " + table + ", but " + e.getMessage(), e);
        }
    }
}
