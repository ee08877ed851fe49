package dev.tidemark.writer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.config.AbstractConfig;

import dev.tidemark.checksum.ChecksumScanSettings;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.LimitSettings;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.memory.MemorySettings;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;
import dev.tidemark.settings.KafkaSettings;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.RelaySettings;

/**
 * The settings of a writer, see {@link WriterSettings} for what each means.
 *
 * @param replicationFactor of topics that are made; empty for the broker's default
 * @param kafka settings of the Kafka clients
 */
record WriterConfig(
        HttpSettings http,
        SecuritySettings security,
        Path dataDirectory,
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

    private static final Duration DRAIN = Duration.ofSeconds(3);

    static WriterConfig from(AbstractConfig settings) throws BadSettingsException {
        int replicas = settings.getInt(WriterSettings.REPLICATION_FACTOR);
        long queueBytes = settings.getLong(WriterSettings.QUEUE_MAX_BYTES);
        long atomicBytes = settings.getLong(WriterSettings.ATOMIC_MAX_BYTES);
        if (atomicBytes > queueBytes) {
            throw new BadSettingsException("expected " + WriterSettings.ATOMIC_MAX_BYTES + " of at most "
                    + WriterSettings.QUEUE_MAX_BYTES + "=" + queueBytes + ", but got " + atomicBytes);
        }
        Duration heartbeat = duration(settings, WriterSettings.HEARTBEAT_INTERVAL);
        return new WriterConfig(
                new HttpSettings(
                        settings.getString(WriterSettings.HTTP_HOST),
                        settings.getInt(WriterSettings.HTTP_PORT),
                        settings.getInt(WriterSettings.HTTP_THREADS),
                        DRAIN,
                        LimitSettings.of(settings),
                        LimitSettings.allowedHosts(settings)),
                SecuritySettings.of(settings),
                Path.of(settings.getString(WriterSettings.DATA_DIR)),
                Path.of(settings.getString(WriterSettings.CATALOG_FILE)),
                settings.getInt(WriterSettings.ROW_MAX_BYTES),
                atomicBytes,
                LimitSettings.page(settings),
                new CommitterLimits(
                        settings.getInt(WriterSettings.QUEUE_MAX_REQUESTS),
                        queueBytes,
                        settings.getInt(WriterSettings.GROUP_MAX_CHANGES),
                        heartbeat.dividedBy(2)),
                duration(settings, WriterSettings.DIGEST_INTERVAL),
                new BacklogLimits(
                        settings.getLong(WriterSettings.OUTBOX_MAX_RECORDS),
                        settings.getLong(WriterSettings.OUTBOX_MAX_BYTES)),
                new RelaySettings(
                        heartbeat,
                        settings.getLong(WriterSettings.OUTBOX_RETAIN),
                        duration(settings, WriterSettings.TOMBSTONE_DELAY)),
                replicas < 0 ? Optional.empty() : Optional.of((short) replicas),
                settings.getString(WriterSettings.CONSUMER_GROUP),
                settings.getLong(WriterSettings.ROCKS_CACHE_BYTES),
                settings.getLong(WriterSettings.ROCKS_MEMTABLE_BYTES),
                settings.getLong(WriterSettings.ROW_CACHE_BYTES),
                MemorySettings.bytes(settings),
                new ChecksumScanSettings(
                        settings.getLong(WriterSettings.CHECKSUM_BYTES),
                        duration(settings, WriterSettings.CHECKSUM_INTERVAL)),
                KafkaSettings.of(settings, WriterSettings.BOOTSTRAP_SERVERS));
    }

    /** Most bytes of a record in Kafka. */
    int maxMessageBytes() {
        return maxRowBytes + ENVELOPE_BYTES;
    }

    private static Duration duration(AbstractConfig settings, String key) throws BadSettingsException {
        try {
            Duration duration = Durations.parse(settings.getString(key));
            if (duration.compareTo(Duration.ofMillis(10)) < 0) {
                throw new BadSettingsException("expected at least 10ms");
            }
            return duration;
        } catch (BadSettingsException e) {
            throw new BadSettingsException(key + ": " + e.getMessage());
        }
    }
}
