package dev.tidemark.deploy.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.ChangeBatch;

/**
 * The batches given to a shard, so that a store can tell which one is being applied when it is asked for row states.
 */
final class SubmittedBatches {
    private final Deque<ChangeBatch> waiting = new ArrayDeque<>();
    private ChangeBatch current = new ChangeBatch(List.of(), 0, OptionalInt.empty());

    void add(ChangeBatch batch) {
        waiting.add(batch);
    }

    /**
     * The states of these rows are asked for, which tells the batch: the next one with these rows, maybe cut in pieces.
     */
    void applying(List<KeyBytes> keys) {
        Set<KeyBytes> wanted = new HashSet<>(keys);
        while (!waiting.isEmpty() && !rows(current).containsAll(wanted)) {
            current = waiting.remove();
        }
    }

    /** The newest version of a row in the batch being applied. */
    RowVersion newestOf(KeyBytes key) {
        return current.records().stream()
                .filter(record -> record.record().key().equals(key))
                .map(record -> version(record.record()))
                .max(RowVersion::compareTo)
                .orElse(RowVersion.NONE);
    }

    private static Set<KeyBytes> rows(ChangeBatch batch) {
        return batch.records().stream()
                .map(record -> record.record().key())
                .filter(key -> !key.equals(ChangeCodec.HEARTBEAT_KEY))
                .collect(Collectors.toSet());
    }

    private static RowVersion version(WireRecord record) {
        try {
            return ChangeCodec.version(record);
        } catch (MalformedChangeException e) {
            // A record that nobody can read is of no version.
            return RowVersion.NONE;
        }
    }
}
