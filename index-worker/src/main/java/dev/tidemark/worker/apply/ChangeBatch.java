package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** Bytes of heap that its records take, about. */
    public long heldBytes() {
        return records.stream().mapToLong(LogRecord::heldBytes).sum();
    }

    /** The first records, up to the offset of the next; the batch itself where they are all. */
    ChangeBatch first(int count) {
        return count == records.size()
                ? this
                : new ChangeBatch(records.subList(0, count), records.get(count).offset(), leaderEpoch);
    }

    /** What follows the first records; empty where they are all. */
    Optional<ChangeBatch> after(int count) {
        return count == records.size()
                ? Optional.empty()
                : Optional.of(new ChangeBatch(records.subList(count, records.size()), nextOffset, leaderEpoch));
    }

    /** The same batch in pieces of at most about {@code most} bytes each; a larger record is a piece by itself. */
    public List<ChangeBatch> pieces(long most) {
        List<ChangeBatch> pieces = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < records.size(); i++) {
            long more = records.get(i).heldBytes();
            if (i > from && bytes + more > most) {
                pieces.add(new ChangeBatch(
                        records.subList(from, i), records.get(i - 1).offset() + 1, leaderEpoch));
                from = i;
                bytes = 0;
            }
            bytes += more;
        }
        pieces.add(from == 0 ? this : new ChangeBatch(records.subList(from, records.size()), nextOffset, leaderEpoch));
        return pieces;
    }
}
