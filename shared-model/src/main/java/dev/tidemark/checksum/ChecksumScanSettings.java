package dev.tidemark.checksum;

import java.time.Duration;

/**
 * How much is looked through.
 *
 * @param bytesPerSecond most bytes a second, in the mean over a file and the rest after it; 0 for none at all
 * @param interval how long after the beginning of one pass over all files the next one begins, at least
 */
public record ChecksumScanSettings(long bytesPerSecond, Duration interval) {
    public ChecksumScanSettings {
        if (bytesPerSecond < 0 || interval.isNegative()) {
            throw new IllegalArgumentException(
                    "Expected no negative amount, but got " + bytesPerSecond + " and " + interval);
        }
    }
}
