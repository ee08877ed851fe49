package dev.tidemark.checksum;

import java.time.Duration;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

import dev.tidemark.settings.Durations;

/**
 * How much is looked through.
 *
 * @param bytesPerSecond most bytes a second, in the mean over a file and the rest after it; 0 for none at all
 * @param interval how long after the beginning of one pass over all files the next one begins, at least
 */
public record ChecksumScanSettings(long bytesPerSecond, Duration interval) {
    private static final String BYTES = "checksum.bytes.per.second";
    private static final String INTERVAL = "checksum.interval";

    public ChecksumScanSettings {
        if (bytesPerSecond < 0 || interval.isNegative()) {
            throw new IllegalArgumentException(
                    "Expected no negative amount, but got " + bytesPerSecond + " and " + interval);
        }
    }

    /** Defines the settings. */
    public static void define(ConfigDef definition) {
        definition
                .define(
                        BYTES,
                        ConfigDef.Type.LONG,
                        16L << 20,
                        ConfigDef.Range.atLeast(0),
                        ConfigDef.Importance.LOW,
                        "Most bytes a second of files at rest that are compared with their checksums, to find damage before"
                                + " it is read; 0 for none.")
                .define(
                        INTERVAL,
                        ConfigDef.Type.STRING,
                        "6h",
                        Durations.within("0s", "36500d"),
                        ConfigDef.Importance.LOW,
                        "How long after the beginning of one pass over all files the next one begins, at least.");
    }

    /** The settings in the given values. */
    public static ChecksumScanSettings of(AbstractConfig values) {
        return new ChecksumScanSettings(values.getLong(BYTES), Durations.of(values, INTERVAL));
    }
}
