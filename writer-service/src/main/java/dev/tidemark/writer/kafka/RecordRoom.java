package dev.tidemark.writer.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The most bytes of a record that each topic has to take. A row that was stored while clients were allowed to send
 * longer ones needs more than theirs, unless compression makes it short enough: that shows where its topic refuses it.
 */
public final class RecordRoom {
    /** What a record has beside its key and its value, and what compression may add to them. */
    private static final int REST_BYTES = 64 << 10;

    private final int usual;
    private final Map<String, Integer> longest = new HashMap<>();
    private final Map<String, Integer> needed = new ConcurrentHashMap<>();

    /**
     * Room for what clients may send.
     *
     * @param usual most bytes of a record with such a row
     */
    public RecordRoom(int usual) {
        this.usual = usual;
    }

    /** Most bytes of a record of a topic; for any thread. */
    int bytes(String topic) {
        return needed.getOrDefault(topic, usual);
    }

    /**
     * A record is sent; for the relay.
     *
     * @param length bytes of its key and its value
     */
    void sent(String topic, int length) {
        if (length > usual) {
            longest.merge(topic, length, Math::max);
        }
    }

    /** A topic has refused a record for its size, so that it needs room for its longest one; for the relay. */
    void lacked(String topic) {
        Integer length = longest.get(topic);
        if (length != null) {
            needed.put(topic, length + REST_BYTES);
        }
    }
}
