package dev.tidemark.writer.outbox;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.change.ChangeEvent;

/**
 * What the writer remembers of a topic.
 *
 * @param id the topic's identity when it was last used
 * @param whole whether everything the topic lacked has been published to it; false while that is under way
 * @param ends by partition: the offset after the last change that was acknowledged and noted
 * @param lasts by partition: the sequence of that change; absent where an older writer noted the end
 * @param cleanFrom records came out of order before those ends, and the topic may lack what they took the place of
 *     until changes up to this sequence are published; 0 where none came
 * @param leftOutSince while the topic is not whole: changes of the table after this sequence may be left out; 0 where
 *     an older writer noted that it is not; {@link #NEVER_WHOLE} for a derived table that is filled for the first time
 */
public record TopicRecord(
        String id,
        boolean whole,
        Map<Integer, Long> ends,
        Map<Integer, Long> lasts,
        long cleanFrom,
        long leftOutSince) {
    /** Less than any sequence, and than the 0 of an outbox of which nothing was published. */
    static final long NEVER_WHOLE = -1;

    public TopicRecord {
        ends = Map.copyOf(ends);
        lasts = Map.copyOf(lasts);
    }

    /** A topic that lacks something, and of which nothing is known but its identity and since when. */
    static TopicRecord lacking(String id, long since) {
        return new TopicRecord(id, false, Map.of(), Map.of(), 0, since);
    }

    /** The same for a table of which changes may have been left out before. */
    static TopicRecord lacking(String id, Optional<TopicRecord> before, long since) {
        return lacking(
                id,
                before.filter(topic -> !topic.whole())
                        .map(TopicRecord::leftOutSince)
                        .orElse(since));
    }

    /** The same topic after later changes. */
    TopicRecord with(AppendedOffsets changes) {
        Map<Integer, Long> laterEnds = new TreeMap<>(ends);
        Map<Integer, Long> laterLasts = new TreeMap<>(lasts);
        changes.forEach((shard, part) -> {
            if (part.hasChanges() && part.last() instanceof ChangeEvent change) {
                laterEnds.put(shard.partition(), part.end());
                laterLasts.put(shard.partition(), change.version().sequence());
            }
        });
        return new TopicRecord(id, whole, laterEnds, laterLasts, cleanFrom, leftOutSince);
    }

    /** The same topic, now lacking nothing. */
    TopicRecord asWhole() {
        return new TopicRecord(id, true, ends, lasts, cleanFrom, 0);
    }

    /** The same topic, clean only once changes up to a sequence are published. */
    TopicRecord cleanFrom(long sequence) {
        return new TopicRecord(id, whole, ends, lasts, sequence, leftOutSince);
    }
}
