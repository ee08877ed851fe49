package dev.tidemark.kafka;

import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Ends a poll once it has given so many bytes. A client bounds what it fetches, but compressed, and what it gives by a count; so the
 * record after the last that may be taken is refused when it is to be read. The client then gives what it has, and that record
 * with the next poll. For one thread.
 */
public final class PollAllowance {
    private long left = Long.MAX_VALUE;
    private boolean admitted;

    /** A poll begins, which may give so many bytes; the first record may be more. */
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
