package dev.tidemark.writer;

import org.apache.kafka.common.config.ConfigDef;

import dev.tidemark.http.LimitSettings;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.memory.MemorySettings;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

/** Every setting of a writer: key, type, default, range, meaning. Keys are public. */
final class WriterSettings {
    static final String HTTP_HOST = "http.host";
    static final String HTTP_PORT = "http.port";
    static final String HTTP_THREADS = "http.threads";
    static final String DATA_DIR = "data.dir";
    static final String CATALOG_FILE = "catalog.file";
    static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
    static final String CONSUMER_GROUP = "consumer.group";
    static final String REPLICATION_FACTOR = "topic.replication.factor";
    static final String ROW_MAX_BYTES = "row.max.bytes";
    static final String ATOMIC_MAX_BYTES = "bulk.atomic.max.bytes";
    static final String QUEUE_MAX_REQUESTS = "queue.max.requests";
    static final String QUEUE_MAX_BYTES = "queue.max.bytes";
    static final String GROUP_MAX_CHANGES = "group.max.changes";
    static final String OUTBOX_MAX_RECORDS = "outbox.max.pending.records";
    static final String OUTBOX_MAX_BYTES = "outbox.max.pending.bytes";
    static final String OUTBOX_RETAIN = "outbox.retain.records";
    static final String HEARTBEAT_INTERVAL = "heartbeat.interval";
    static final String DIGEST_INTERVAL = "digest.interval";
    static final String TOMBSTONE_DELAY = "tombstone.delay";
    static final String CHECKSUM_BYTES = "checksum.bytes.per.second";
    static final String CHECKSUM_INTERVAL = "checksum.interval";
    static final String ROCKS_CACHE_BYTES = "rocks.cache.bytes";
    static final String ROCKS_MEMTABLE_BYTES = "rocks.memtable.bytes";
    static final String ROW_CACHE_BYTES = "row.cache.bytes";

    private static final int MAX_ROW_BYTES = 16 << 20;
    private static final int PAGE_ROWS = 1_000;
    private static final int MAX_PORT = 65_535;

    private WriterSettings() {}

    static ConfigDef definition() {
        ConfigDef definition = new ConfigDef();
        places(definition);
        storage(definition);
        bounds(definition);
        queue(definition);
        relay(definition);
        MemorySettings.define(definition);
        LimitSettings.define(definition);
        LimitSettings.definePage(definition, PAGE_ROWS);
        SecuritySettings.define(definition);
        return definition;
    }

    private static void places(ConfigDef definition) {
        definition
                .define(
                        HTTP_HOST,
                        STRING,
                        "127.0.0.1",
                        HIGH,
                        "Address to listen on. Others than those of this machine need TLS and authentication.")
                .define(HTTP_PORT, INT, 8081, between(0, MAX_PORT), HIGH, "Port to listen on; 0 for any free one.")
                .define(HTTP_THREADS, INT, 64, between(8, 1_024), LOW, "Most requests handled at once.")
                .define(DATA_DIR, STRING, HIGH, "Directory of the fact tables and the outbox; one process at a time.")
                .define(CATALOG_FILE, STRING, HIGH, "The catalog.")
                .define(
                        BOOTSTRAP_SERVERS,
                        STRING,
                        "127.0.0.1:9092",
                        HIGH,
                        "Kafka brokers. Every key below kafka. goes to the Kafka clients without that prefix.")
                .define(
                        CONSUMER_GROUP,
                        STRING,
                        "tidemark-index-worker",
                        MEDIUM,
                        "Consumer group of the index workers, whose notes report how fresh the indexes are.")
                .define(
                        REPLICATION_FACTOR,
                        INT,
                        -1,
                        between(-1, Short.MAX_VALUE),
                        MEDIUM,
                        "Replicas of topics that are made; -1 for the broker's default.");
    }

    private static void storage(ConfigDef definition) {
        definition
                .define(
                        ROCKS_CACHE_BYTES,
                        LONG,
                        128L << 20,
                        atLeast(8 << 20),
                        LOW,
                        "Block cache and memtables, in bytes.")
                .define(ROCKS_MEMTABLE_BYTES, LONG, 32L << 20, atLeast(1 << 20), LOW, "Size of one memtable, in bytes.")
                .define(
                        ROW_CACHE_BYTES,
                        LONG,
                        96L << 20,
                        atLeast(0),
                        LOW,
                        "Heap for the rows that were replaced last, so that a row which changes again is not looked up; 0 for none.")
                .define(
                        CHECKSUM_BYTES,
                        LONG,
                        16L << 20,
                        atLeast(0),
                        LOW,
                        "Most bytes a second of files at rest that are compared with their checksums, to find damage before"
                                + " it is read; 0 for none.")
                .define(
                        CHECKSUM_INTERVAL,
                        STRING,
                        "6h",
                        LOW,
                        "How long after the beginning of one pass over all files the next one begins, at least.");
    }

    private static void bounds(ConfigDef definition) {
        definition
                .define(
                        ROW_MAX_BYTES,
                        INT,
                        1 << 20,
                        between(1_024, MAX_ROW_BYTES),
                        MEDIUM,
                        "Largest row as compact JSON, in bytes; a larger one is answered 413.")
                .define(
                        ATOMIC_MAX_BYTES,
                        LONG,
                        32L << 20,
                        atLeast(1_024),
                        LOW,
                        "Largest all-or-nothing bulk load, in bytes; a larger one is answered 413.");
    }

    private static void queue(ConfigDef definition) {
        definition
                .define(
                        QUEUE_MAX_REQUESTS,
                        INT,
                        4_096,
                        atLeast(1),
                        LOW,
                        "Most requests that wait to be committed; beyond it they are answered 429.")
                .define(
                        QUEUE_MAX_BYTES,
                        LONG,
                        64L << 20,
                        atLeast(1_024),
                        LOW,
                        "Most bytes that wait to be committed; beyond it requests are answered 429. Too large for the heap"
                                + " ends the process.")
                .define(
                        GROUP_MAX_CHANGES,
                        INT,
                        2_000,
                        atLeast(1),
                        LOW,
                        "A commit takes no further request once it has this many changes. Too small wastes the disk's"
                                + " time, too large makes single writes wait.");
    }

    private static void relay(ConfigDef definition) {
        definition
                .define(
                        OUTBOX_MAX_RECORDS,
                        LONG,
                        1_000_000L,
                        atLeast(1),
                        MEDIUM,
                        "Most changes that wait to be published; beyond it writes are answered 503.")
                .define(
                        OUTBOX_MAX_BYTES,
                        LONG,
                        1L << 30,
                        atLeast(1_024),
                        MEDIUM,
                        "Most bytes of changes that wait to be published; beyond it writes are answered 503.")
                .define(
                        OUTBOX_RETAIN,
                        LONG,
                        100_000L,
                        atLeast(0),
                        LOW,
                        "Published changes kept, to be published again if the log loses them.")
                .define(
                        HEARTBEAT_INTERVAL,
                        STRING,
                        "200ms",
                        LOW,
                        "How often each partition receives a heartbeat. Too long makes an idle index look stale.")
                .define(
                        DIGEST_INTERVAL,
                        STRING,
                        "1s",
                        LOW,
                        "How often each partition receives the digests of its indexes by the table. Too often makes small"
                                + " batches, too long makes a difference known late.")
                .define(
                        TOMBSTONE_DELAY,
                        STRING,
                        "1d",
                        LOW,
                        "How long after its delete a row is forgotten by its topic.");
    }
}
