package dev.tidemark.writer.kafka;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The most bytes of a record that topics have to take. A row that was stored while clients were allowed to send longer
 * ones needs more than theirs, unless compression makes it short enough: that shows where a topic refuses it.
 */
public final class RecordRoom {
    /** What a record has beside its key and its value, and what compression may add to them. */
    private static final int REST_BYTES = 64 << 10;

    private final AtomicInteger bytes;
    private int largest;

    /**
     * Room for what clients may send.
     *
     * @param bytes most bytes of a record with such a row
     */
    public RecordRoom(int bytes) {
        this.bytes = new AtomicInteger(bytes);
    }

    /** Most bytes of a record; for any thread. */
    int bytes() {
        return bytes.get();
    }

    /**
     * A record is sent; for the relay.
     *
     * @param length bytes of its key and its value
     */
    void sent(int length) {
        largest = Math.max(largest, length);
    }

    /** A topic has refused a record for its size, so that topics need room for the largest one; for the relay. */
    void lacked() {
        bytes.accumulateAndGet(largest + REST_BYTES, Math::max);
    }
}
