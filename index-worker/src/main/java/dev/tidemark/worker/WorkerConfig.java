package dev.tidemark.worker;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;

import dev.tidemark.checksum.ChecksumScanSettings;
import dev.tidemark.http.AdvertisedUrl;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.memory.MemorySettings;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;
import dev.tidemark.settings.KafkaSettings;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.query.QueryLimits;

/**
 * The worker's settings, validated. {@link #definition()} describes each setting and is the source of the help text.
 *
 * @param kafka settings of the Kafka clients, without the prefix
 */
public record WorkerConfig(
        HttpSettings http,
        SecuritySettings security,
        QueryLimits queries,
        Path dataDir,
        List<URI> writerUrls,
        String groupId,
        String replicaGroup,
        URI advertisedUrl,
        String groupInstanceId,
        int applyThreads,
        int pollMaxRecords,
        Duration lagSampleInterval,
        Duration shardMaxAbsence,
        long copyBytesPerSecond,
        long copyMinRecords,
        Duration lease,
        Duration verifyInterval,
        ChecksumScanSettings checksumScan,
        long rocksdbCacheBytes,
        long rocksdbMemtableBytes,
        long rowCacheBytes,
        long memoryBytes,
        int buildRowsPerSecond,
        Duration buildFreshnessTarget,
        Duration rollbackWindow,
        Map<String, Object> kafka) {
    private static final String BOOTSTRAP = "kafka.bootstrap.servers";
    private static final Duration DRAIN = Duration.ofSeconds(2);
    private static final ConfigDef.Validator ANY_TIME = Durations.within("0s", "36500d");
    private static final long MEBIBYTE = 1 << 20;
    private static final Pattern REPLICA_GROUP = Pattern.compile("[a-z0-9][a-z0-9_-]{0,31}");

    public WorkerConfig {
        kafka = Map.copyOf(kafka);
        writerUrls = List.copyOf(writerUrls);
        if (writerUrls.isEmpty() || !writerUrls.stream().allMatch(WorkerConfig::isWriter)) {
            throw new IllegalArgumentException(
                    "expected writer.url to be like http://127.0.0.1:8081, or several with commas between, but got "
                            + writerUrls);
        }
        if (!REPLICA_GROUP.matcher(replicaGroup).matches()) {
            throw new IllegalArgumentException(
                    "expected replica.group to be 1 to 32 of a-z, 0-9, _ and -, not beginning"
                            + " with _ or -, but got " + replicaGroup);
        }
        WorkerIdentity.requireNotable(advertisedUrl, rack(kafka));
    }

    private static boolean isWriter(URI url) {
        return ("http".equals(url.getScheme()) || "https".equals(url.getScheme())) && url.getHost() != null;
    }

    /** Why other workers may not reach this one at the address that it advertises; empty when nothing is seen. */
    public Optional<String> doubtfulAddress() {
        if (AdvertisedUrl.isWildcard(advertisedUrl)) {
            return Optional.of("Other workers cannot reach this one at " + advertisedUrl
                    + ", which is made of http.host and http.port: set advertised.url where there are several workers");
        }
        return advertisedUrl.getPort() > 0
                ? Optional.empty()
                : Optional.of("Expected advertised.url to have the port of this worker, but got " + advertisedUrl
                        + "; other workers use the usual port of " + advertisedUrl.getScheme());
    }

    /** The worker, as others see it. */
    WorkerIdentity identity(String instance) {
        return new WorkerIdentity(advertisedUrl, instance.isEmpty() ? "unnamed" : instance, rack(kafka));
    }

    private static String rack(Map<String, Object> kafka) {
        return kafka.getOrDefault(CommonClientConfigs.CLIENT_RACK_CONFIG, "").toString();
    }

    /** The consumer group of this worker's replica group. */
    String consumerGroup() {
        return groupId + "." + replicaGroup;
    }

    /**
     * The settings in the given values.
     *
     * @throws BadSettingsException when a value is of the right type and still cannot be used
     */
    public static WorkerConfig of(AbstractConfig values) throws BadSettingsException {
        try {
            HttpSettings http = HttpSettings.of(values, DRAIN);
            SecuritySettings security = SecuritySettings.of(values);
            String given = values.getString(AdvertisedUrl.KEY);
            URI advertised = given.isEmpty() ? AdvertisedUrl.made(http, security) : AdvertisedUrl.given(given);
            return new WorkerConfig(
                    AdvertisedUrl.taking(advertised, http, security),
                    security,
                    new QueryLimits(HttpSettings.page(values), HttpSettings.longestWait(values)),
                    Path.of(values.getString("data.dir")),
                    values.getList("writer.url").stream().map(URI::create).toList(),
                    values.getString("group.id"),
                    values.getString("replica.group"),
                    advertised,
                    values.getString("group.instance.id"),
                    values.getInt("apply.threads"),
                    values.getInt("poll.max.records"),
                    Durations.of(values, "lag.sample.interval"),
                    Durations.of(values, "shard.max.absence"),
                    values.getLong("copy.max.bytes.per.second"),
                    values.getLong("copy.min.records"),
                    Durations.of(values, "lease"),
                    Durations.of(values, "verify.interval"),
                    ChecksumScanSettings.of(values),
                    values.getLong("rocksdb.cache.bytes"),
                    values.getLong("rocksdb.memtable.bytes"),
                    values.getLong("row.cache.bytes"),
                    MemorySettings.bytes(values),
                    values.getInt("build.rows.per.second"),
                    Durations.of(values, "build.freshness.target"),
                    Durations.of(values, "rollback.window"),
                    KafkaSettings.of(values, BOOTSTRAP));
        } catch (IllegalArgumentException e) {
            throw new BadSettingsException(String.valueOf(e.getMessage()));
        }
    }

    /** Every setting with its type, default, range and meaning. */
    public static ConfigDef definition() {
        ConfigDef definition = new ConfigDef();
        defineService(definition);
        defineConsumer(definition);
        AdvertisedUrl.define(definition, "Where other workers reach this one. None: made of http.host and http.port.");
        defineStorage(definition);
        ChecksumScanSettings.define(definition);
        defineBuilds(definition);
        MemorySettings.define(definition);
        HttpSettings.define(
                definition,
                8082,
                "Most requests handled at a time. Half of them may wait for progress or other workers; further ones get 503.");
        HttpSettings.definePage(definition, QueryLimits.USUAL.page());
        HttpSettings.defineWait(definition, QueryLimits.USUAL.longestWait());
        SecuritySettings.define(definition);
        SecuritySettings.defineCaller(definition);
        return definition;
    }

    private static void defineService(ConfigDef definition) {
        definition
                .define(
                        "data.dir",
                        ConfigDef.Type.STRING,
                        Importance.HIGH,
                        "Directory of the shards, for this process alone.")
                .define(
                        "writer.url",
                        ConfigDef.Type.LIST,
                        "http://127.0.0.1:8081",
                        Importance.HIGH,
                        "Where the writer service listens; asked for rows with fetch=row. Of several writers all, with commas"
                                + " between: where one does not answer, the next is asked.")
                .define(
                        "verify.interval",
                        ConfigDef.Type.STRING,
                        "1h",
                        ANY_TIME,
                        Importance.LOW,
                        "How long after the indexes of one table were compared with it, unasked and slowly, those of the"
                                + " next are; 0s for never.")
                .define(
                        "lag.sample.interval",
                        ConfigDef.Type.STRING,
                        "500ms",
                        ANY_TIME,
                        Importance.LOW,
                        "How often brokers are asked where partitions end. Freshness does not depend on it.");
    }

    private static void defineConsumer(ConfigDef definition) {
        definition
                .define(
                        BOOTSTRAP,
                        ConfigDef.Type.STRING,
                        "127.0.0.1:9092",
                        Importance.HIGH,
                        "Kafka brokers to begin with. Every kafka.* key goes to the clients without the prefix.")
                .define(
                        "group.id",
                        ConfigDef.Type.STRING,
                        "tidemark-index-worker",
                        Importance.MEDIUM,
                        "Begin of the name of the consumer group; a dot and the replica group follow.")
                .define(
                        "replica.group",
                        ConfigDef.Type.STRING,
                        "a",
                        Importance.MEDIUM,
                        "Workers of one replica group share the partitions. Each replica group holds all of them once, so that"
                                + " another answers when a worker of one is away.")
                .define(
                        "group.instance.id",
                        ConfigDef.Type.STRING,
                        "auto",
                        Importance.MEDIUM,
                        "Name of this member. auto: one kept in the data directory, so that a worker that is started again"
                                + " has its partitions back at once; none: a new member at each start.")
                .define(
                        "lease",
                        ConfigDef.Type.STRING,
                        "6s",
                        ANY_TIME,
                        Importance.LOW,
                        "A worker that did not run (stopped, a long pause) until the last word of the group was older than this"
                                + " refuses queries until the group has confirmed its partitions. At most"
                                + " kafka.session.timeout.ms counts, which is 6000 unless set.")
                .define(
                        "poll.max.records",
                        ConfigDef.Type.INT,
                        1_000,
                        Range.between(1, 100_000),
                        Importance.LOW,
                        "Most records taken from Kafka at a time, and so in one batch of a shard.")
                .define(
                        "apply.threads",
                        ConfigDef.Type.INT,
                        2,
                        Range.between(1, 64),
                        Importance.MEDIUM,
                        "Threads that apply changes; each shard belongs to one of them.");
    }

    private static void defineStorage(ConfigDef definition) {
        definition
                .define(
                        "shard.max.absence",
                        ConfigDef.Type.STRING,
                        "84h",
                        ANY_TIME,
                        Importance.LOW,
                        "A shard that was away for longer is rebuilt, because deletes may have left the topic"
                                + " meanwhile. Must be well below the topic's delete.retention.ms of 7 days.")
                .define(
                        "copy.max.bytes.per.second",
                        ConfigDef.Type.LONG,
                        64 * MEBIBYTE,
                        Range.atLeast(0),
                        Importance.LOW,
                        "Most bytes a second of shards that other workers copy from this one, all together; 0 gives them none.")
                .define(
                        "copy.min.records",
                        ConfigDef.Type.LONG,
                        100_000L,
                        Range.atLeast(0),
                        Importance.LOW,
                        "A shard that has not read more records of its topic than this reads them. One that lacks more, and"
                                + " has nothing that it could go on with, is copied from another worker that has it.")
                .define(
                        "rocksdb.cache.bytes",
                        ConfigDef.Type.LONG,
                        256 * MEBIBYTE,
                        Range.atLeast(8 * MEBIBYTE),
                        Importance.MEDIUM,
                        "Native memory for blocks and memtables of all shards together.")
                .define(
                        "rocksdb.memtable.bytes",
                        ConfigDef.Type.LONG,
                        8 * MEBIBYTE,
                        Range.atLeast(MEBIBYTE),
                        Importance.LOW,
                        "Size at which the memtable of one index of one shard is written to disk.")
                .define(
                        "row.cache.bytes",
                        ConfigDef.Type.LONG,
                        64 * MEBIBYTE,
                        Range.atLeast(0),
                        Importance.LOW,
                        "Heap for what all shards together know of the rows that changed last, so that a row which changes again"
                                + " is not looked up; 0 for none.");
    }

    private static void defineBuilds(ConfigDef definition) {
        definition
                .define(
                        "build.rows.per.second",
                        ConfigDef.Type.INT,
                        0,
                        Range.between(0, 1_000_000),
                        Importance.MEDIUM,
                        "Most rows a second that are copied into indexes being built; 0 for as many as"
                                + " build.freshness.target allows.")
                .define(
                        "build.freshness.target",
                        ConfigDef.Type.STRING,
                        "1s",
                        ANY_TIME,
                        Importance.MEDIUM,
                        "Building slows down so that no index that answers becomes staler than this, but never below 500"
                                + " rows a second.")
                .define(
                        "rollback.window",
                        ConfigDef.Type.STRING,
                        "15m",
                        ANY_TIME,
                        Importance.MEDIUM,
                        "How long the previous generation of a changed index is kept once the new one is ready, so that a"
                                + " rollback is immediate.");
    }
}
