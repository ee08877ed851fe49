package dev.tidemark.worker.apply;

import java.util.List;
import java.util.OptionalInt;

/**
 * A contiguous piece of one partition.
 *
 * @param records in the order of their offsets; may be empty where compaction left nothing
 * @param nextOffset the first offset after the piece
 * @param leaderEpoch epoch of the leader that wrote the last record, where known
 */
public record ChangeBatch(List<LogRecord> records, long nextOffset, OptionalInt leaderEpoch) {
    public ChangeBatch {
        records = List.copyOf(records);
    }
}
