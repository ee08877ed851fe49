package dev.tidemark.writer;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

import dev.tidemark.checksum.ChecksumScanSettings;
import dev.tidemark.http.AdvertisedUrl;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.memory.MemorySettings;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;
import dev.tidemark.settings.KafkaSettings;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.RelaySettings;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

/**
 * The settings of a writer, validated. {@link #definition()} says of each its key, type, default, range and meaning.
 * Keys are public.
 *
 * @param advertisedUrl where other writers reach this one; empty for where it listens
 * @param facts where the fact tables are
 * @param replicationFactor of topics that are made; empty for the broker's default
 * @param kafka settings of the Kafka clients
 */
public record WriterConfig(
        HttpSettings http,
        SecuritySettings security,
        Optional<URI> advertisedUrl,
        Path dataDirectory,
        FactsSettings facts,
        Path catalogFile,
        int maxRowBytes,
        long atomicMaxBytes,
        int pageRows,
        CommitterLimits committer,
        Duration digestInterval,
        BacklogLimits backlog,
        RelaySettings relay,
        Optional<Short> replicationFactor,
        String consumerGroup,
        long rocksCacheBytes,
        long rocksMemtableBytes,
        long rowCacheBytes,
        long memoryBytes,
        ChecksumScanSettings checksumScan,
        Map<String, Object> kafka) {
    /** What a record adds to its row: key, headers, envelope. */
    private static final int ENVELOPE_BYTES = 1 << 20;

    private static final int MAX_ROW_BYTES = 16 << 20;

    /** Most bytes of a record in Kafka with any settings: a row stays when clients may send shorter ones only. */
    static final int MOST_MESSAGE_BYTES = MAX_ROW_BYTES + ENVELOPE_BYTES;

    private static final Duration DRAIN = Duration.ofSeconds(3);
    private static final int PAGE_ROWS = 1_000;
    private static final ConfigDef.Validator TIME = Durations.within("10ms", "36500d");

    /**
     * The settings in the given values.
     *
     * @throws BadSettingsException when values contradict each other
     */
    public static WriterConfig from(AbstractConfig settings) throws BadSettingsException {
        int replicas = settings.getInt("topic.replication.factor");
        long queueBytes = settings.getLong("queue.max.bytes");
        long atomicBytes = settings.getLong("bulk.atomic.max.bytes");
        if (atomicBytes > queueBytes) {
            throw new BadSettingsException("expected bulk.atomic.max.bytes of at most queue.max.bytes=" + queueBytes
                    + ", but got " + atomicBytes);
        }
        Duration heartbeat = Durations.of(settings, "heartbeat.interval");
        HttpSettings http = HttpSettings.of(settings, DRAIN);
        SecuritySettings security = SecuritySettings.of(settings);
        Optional<URI> advertised = advertised(settings.getString(AdvertisedUrl.KEY));
        return new WriterConfig(
                advertised.map(url -> AdvertisedUrl.taking(url, http, security)).orElse(http),
                security,
                advertised,
                Path.of(settings.getString("data.dir")),
                FactsSettings.of(settings),
                Path.of(settings.getString("catalog.file")),
                settings.getInt("row.max.bytes"),
                atomicBytes,
                HttpSettings.page(settings),
                new CommitterLimits(
                        settings.getInt("queue.max.requests"),
                        queueBytes,
                        settings.getInt("group.max.changes"),
                        heartbeat.dividedBy(2)),
                Durations.of(settings, "digest.interval"),
                new BacklogLimits(
                        settings.getLong("outbox.max.pending.records"), settings.getLong("outbox.max.pending.bytes")),
                new RelaySettings(
                        heartbeat,
                        settings.getLong("outbox.retain.records"),
                        Durations.of(settings, "tombstone.delay"),
                        Durations.of(settings, "global.index.patience")),
                replicas < 0 ? Optional.empty() : Optional.of((short) replicas),
                settings.getString("consumer.group"),
                settings.getLong("rocks.cache.bytes"),
                settings.getLong("rocks.memtable.bytes"),
                settings.getLong("row.cache.bytes"),
                MemorySettings.bytes(settings),
                ChecksumScanSettings.of(settings),
                KafkaSettings.of(settings, "kafka.bootstrap.servers"));
    }

    private static Optional<URI> advertised(String given) throws BadSettingsException {
        try {
            return given.isEmpty() ? Optional.empty() : Optional.of(AdvertisedUrl.given(given));
        } catch (IllegalArgumentException e) {
            throw new BadSettingsException(String.valueOf(e.getMessage()));
        }
    }

    /** Most bytes of a record in Kafka with a row that clients may send. */
    public int maxMessageBytes() {
        return maxRowBytes + ENVELOPE_BYTES;
    }

    /** Every setting with its type, default, range and meaning. */
    public static ConfigDef definition() {
        ConfigDef definition = new ConfigDef();
        places(definition);
        FactsSettings.define(definition);
        storage(definition);
        bounds(definition);
        queue(definition);
        relay(definition);
        MemorySettings.define(definition);
        ChecksumScanSettings.define(definition);
        HttpSettings.define(definition, 8081, "Most requests handled at once.");
        HttpSettings.definePage(definition, PAGE_ROWS);
        SecuritySettings.define(definition);
        SecuritySettings.defineTrust(
                definition,
                "Certificates that sign those of other writers, PEM. None: those that Java trusts. To who asks for one,"
                        + " tls.certificate is shown.");
        AdvertisedUrl.define(
                definition,
                "Where other writers reach this one, which pass requests on to it. None: made of http.host and http.port.");
        return definition;
    }

    private static void places(ConfigDef definition) {
        definition
                .define(
                        "data.dir",
                        STRING,
                        HIGH,
                        "Directory of what the writer keeps, the fact tables in RocksDB included; one process at a time.")
                .define("catalog.file", STRING, HIGH, "The catalog.")
                .define(
                        "kafka.bootstrap.servers",
                        STRING,
                        "127.0.0.1:9092",
                        HIGH,
                        "Kafka brokers. Every key below kafka. goes to the Kafka clients without that prefix.")
                .define(
                        "consumer.group",
                        STRING,
                        "tidemark-index-worker",
                        MEDIUM,
                        "group.id of the index workers, whose notes report how fresh the indexes are. Every replica group"
                                + " counts that has members; where none has, all of them.")
                .define(
                        "topic.replication.factor",
                        INT,
                        -1,
                        between(-1, Short.MAX_VALUE),
                        MEDIUM,
                        "Replicas of topics that are made; -1 for the broker's default.");
    }

    private static void storage(ConfigDef definition) {
        definition
                .define(
                        "rocks.cache.bytes",
                        LONG,
                        128L << 20,
                        atLeast(8 << 20),
                        LOW,
                        "Block cache and memtables, in bytes.")
                .define(
                        "rocks.memtable.bytes",
                        LONG,
                        32L << 20,
                        atLeast(1 << 20),
                        LOW,
                        "Size of one memtable, in bytes.")
                .define(
                        "row.cache.bytes",
                        LONG,
                        96L << 20,
                        atLeast(0),
                        LOW,
                        "Heap for the rows that were replaced last, so that a row which changes again is not looked up; 0 for none.");
    }

    private static void bounds(ConfigDef definition) {
        definition
                .define(
                        "row.max.bytes",
                        INT,
                        1 << 20,
                        between(1_024, MAX_ROW_BYTES),
                        MEDIUM,
                        "Largest row as compact JSON, in bytes; a larger one is answered 413.")
                .define(
                        "bulk.atomic.max.bytes",
                        LONG,
                        32L << 20,
                        atLeast(1_024),
                        LOW,
                        "Largest all-or-nothing bulk load, in bytes; a larger one is answered 413.");
    }

    private static void queue(ConfigDef definition) {
        definition
                .define(
                        "queue.max.requests",
                        INT,
                        4_096,
                        atLeast(1),
                        LOW,
                        "Most requests that wait to be committed; beyond it they are answered 429.")
                .define(
                        "queue.max.bytes",
                        LONG,
                        64L << 20,
                        atLeast(1_024),
                        LOW,
                        "Most bytes that wait to be committed; beyond it requests are answered 429. Too large for the heap"
                                + " ends the process.")
                .define(
                        "group.max.changes",
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
                        "outbox.max.pending.records",
                        LONG,
                        1_000_000L,
                        atLeast(1),
                        MEDIUM,
                        "Most changes that wait to be published; beyond it writes are answered 503.")
                .define(
                        "outbox.max.pending.bytes",
                        LONG,
                        1L << 30,
                        atLeast(1_024),
                        MEDIUM,
                        "Most bytes of changes that wait to be published; beyond it writes are answered 503.")
                .define(
                        "outbox.retain.records",
                        LONG,
                        100_000L,
                        atLeast(0),
                        LOW,
                        "Published changes kept, to be published again if the log loses them.")
                .define(
                        "heartbeat.interval",
                        STRING,
                        "200ms",
                        TIME,
                        LOW,
                        "How often each partition receives a heartbeat. Too long makes an idle index look stale.")
                .define(
                        "digest.interval",
                        STRING,
                        "1s",
                        TIME,
                        LOW,
                        "How often each partition receives the digests of its indexes by the table. Too often makes small"
                                + " batches, too long makes a difference known late.")
                .define(
                        "tombstone.delay",
                        STRING,
                        "1d",
                        TIME,
                        LOW,
                        "How long after its delete a row is forgotten by its topic.")
                .define(
                        "global.index.patience",
                        STRING,
                        "30s",
                        Durations.within("10ms", "1h"),
                        LOW,
                        "How long the topic of a global index may take to acknowledge records before other topics go on"
                                + " without it, 10ms to 1h. It is filled again afterwards. At its start, a writer waits as"
                                + " long for a topic that the brokers do not return, and then makes it again. Records"
                                + " fail 5s later, after 30s at the earliest; a deleted topic is made again only then. A"
                                + " kafka.delivery.timeout.ms that is set must be longer.");
    }
}
