package dev.tidemark.kafka;

import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Ends a poll once it has returned a given number of bytes. A Kafka client bounds what it fetches in compressed bytes,
 * and what it returns by a number of records. So the deserializer refuses the first record after the last that may be
 * taken. The client then returns the records that it has, and returns the refused one with the next poll. For one
 * thread.
 */
public final class PollAllowance {
    private long left = Long.MAX_VALUE;
    private boolean admitted;

    /**
     * Begins a poll that may return the given number of bytes. The record that exceeds the number is still returned.
     */
    public void begin(long bytes) {
        left = bytes;
        admitted = false;
    }

    /** Reads keys for a client whose values are read by {@link #values}. */
    public Deserializer<byte[]> keys() {
        return (topic, key) -> {
            requireSomeLeft();
            admitted = true;
            return taken(key);
        };
    }

    /** Reads values for a client whose keys are read by {@link #keys}. */
    public Deserializer<byte[]> values() {
        return (topic, value) -> {
            // Its key may have used up what was left.
            if (!admitted) {
                requireSomeLeft();
            }
            admitted = false;
            return taken(value);
        };
    }

    private void requireSomeLeft() {
        if (left <= 0) {
            throw new SerializationException("enough for one poll");
        }
    }

    private byte[] taken(byte[] bytes) {
        left -= bytes == null ? 0 : bytes.length;
        return bytes;
    }
}
