package dev.tidemark.writer.outbox;

import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedOffset;
import dev.tidemark.change.Handover;
import dev.tidemark.writer.commit.CommittedChange;

/**
 * A message and where it goes.
 *
 * @param table name of the fact table, which names the topic
 * @param partition which partition of it
 * @param handover when the change was on disk, and is handed over; {@link Handover#UNKNOWN} where nobody asks for it
 * @param expectedOffset the offset that it has when the log has lost nothing and nobody else has written;
 *     {@link ExpectedOffset#UNKNOWN} where the message proves nothing of those before it
 */
public record Publication(String table, int partition, ChangeMessage message, Handover handover, long expectedOffset) {
    Publication(String table, int partition, ChangeMessage message) {
        this(table, partition, message, Handover.UNKNOWN, ExpectedOffset.UNKNOWN);
    }

    EventPublisher.Shard shard() {
        return new EventPublisher.Shard(table, partition);
    }

    Publication expectedAt(long offset) {
        return new Publication(table, partition, message, handover, offset);
    }

    static Publication of(CommittedChange change, Handover handover) {
        return new Publication(change.table(), change.partition(), change.event(), handover, ExpectedOffset.UNKNOWN);
    }
}
