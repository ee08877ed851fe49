package dev.tidemark.writer.commit;

import java.util.List;

/**
 * What one commit does, all of it or nothing: each change sets its row, adds its event to the outbox and, where it is a
 * delete, its tombstone to those that fall due.
 *
 * @param changes in commit order, with consecutive sequences; a row may occur more than once
 * @param through the place in commit order after the last change
 */
public record FactBatch(List<CommittedChange> changes, CommitPoint through) {
    public FactBatch {
        changes = List.copyOf(changes);
        if (!changes.isEmpty()
                && !changes.get(changes.size() - 1).event().version().equals(through.version())) {
            throw new IllegalArgumentException("Expected the batch to end with " + through.version());
        }
    }
}
