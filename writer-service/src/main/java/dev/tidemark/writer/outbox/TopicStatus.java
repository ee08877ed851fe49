package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Map;

/**
 * A topic as the log has it.
 *
 * @param id the log's identity of the topic, another one after it was deleted and made again
 * @param startOffsets by partition: the first offset that can be read
 * @param endOffsets by partition: how many records there have been
 * @param settings by name: those that matter, as they are
 */
public record TopicStatus(String id, List<Long> startOffsets, List<Long> endOffsets, Map<String, String> settings) {
    public TopicStatus {
        startOffsets = List.copyOf(startOffsets);
        endOffsets = List.copyOf(endOffsets);
        settings = Map.copyOf(settings);
    }

    /**
     * Whether records are gone from its beginning, which compaction never does: it is no complete copy of its table.
     */
    public boolean hasLostItsOldest() {
        return startOffsets.stream().anyMatch(start -> start > 0);
    }

    /** Whether nothing was ever written to it. */
    public boolean isEmpty() {
        return endOffsets.stream().allMatch(end -> end == 0);
    }
}
