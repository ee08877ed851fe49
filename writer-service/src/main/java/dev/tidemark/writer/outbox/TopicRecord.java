package dev.tidemark.writer.outbox;

import java.util.Map;
import java.util.TreeMap;

/**
 * What the writer remembers of a topic.
 *
 * @param id the topic's identity when it was last used
 * @param whole whether everything the topic lacked has been published to it; false while that is under way
 * @param ends by partition: the offset after the last record that was acknowledged and noted
 */
public record TopicRecord(String id, boolean whole, Map<Integer, Long> ends) {
    public TopicRecord {
        ends = Map.copyOf(ends);
    }

    /** The same topic with later ends. */
    public TopicRecord withEnds(Map<Integer, Long> later) {
        Map<Integer, Long> merged = new TreeMap<>(ends);
        later.forEach((partition, end) -> merged.merge(partition, end, Math::max));
        return new TopicRecord(id, whole, merged);
    }

    /** The same topic, now lacking nothing. */
    public TopicRecord asWhole() {
        return new TopicRecord(id, true, ends);
    }
}
