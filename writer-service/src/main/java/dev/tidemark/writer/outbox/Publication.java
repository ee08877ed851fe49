package dev.tidemark.writer.outbox;

import dev.tidemark.change.ChangeMessage;
import dev.tidemark.writer.commit.CommittedChange;

/**
 * A message and where it goes.
 *
 * @param table name of the fact table, which names the topic
 * @param partition which partition of it
 */
public record Publication(String table, int partition, ChangeMessage message) {
    static Publication of(CommittedChange change) {
        return new Publication(change.table(), change.partition(), change.event());
    }
}
