package dev.tidemark.writer.outbox;

import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Handover;
import dev.tidemark.writer.commit.CommittedChange;

/**
 * A message and where it goes.
 *
 * @param table name of the fact table, which names the topic
 * @param partition which partition of it
 * @param handover when the change was on disk, and is handed over; {@link Handover#UNKNOWN} where nobody asks for it
 */
public record Publication(String table, int partition, ChangeMessage message, Handover handover) {
    Publication(String table, int partition, ChangeMessage message) {
        this(table, partition, message, Handover.UNKNOWN);
    }

    static Publication of(CommittedChange change, Handover handover) {
        return new Publication(change.table(), change.partition(), change.event(), handover);
    }
}
