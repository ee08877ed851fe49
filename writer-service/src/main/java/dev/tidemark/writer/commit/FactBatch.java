package dev.tidemark.writer.commit;

import java.util.List;
import java.util.Map;

import dev.tidemark.digest.Digest;

/**
 * What one commit does, all of it or nothing: each change sets its row, adds its event to the outbox and, where it is a
 * delete, its tombstone to those that fall due. A batch may move a source alone, without a change.
 *
 * @param changes in commit order, with consecutive sequences; a row may occur more than once
 * @param through the place in commit order after the last change
 * @param digests those that the changes move, as they are afterwards
 * @param sources by their names, the positions of the sources that the changes came from, as they are afterwards
 */
public record FactBatch(
        List<CommittedChange> changes,
        CommitPosition through,
        Map<DigestKey, Digest> digests,
        Map<String, SourcePosition> sources) {
    public FactBatch {
        changes = List.copyOf(changes);
        digests = Map.copyOf(digests);
        sources = Map.copyOf(sources);
        if (!changes.isEmpty()
                && !changes.get(changes.size() - 1).event().version().equals(through.version())) {
            throw new IllegalArgumentException("Expected the batch to end with " + through.version());
        }
    }

    /** Whether there is nothing to commit. */
    boolean isEmpty() {
        return changes.isEmpty() && sources.isEmpty();
    }

    /** The same, which moves digests. */
    FactBatch with(Map<DigestKey, Digest> moved) {
        return new FactBatch(changes, through, moved, sources);
    }
}
