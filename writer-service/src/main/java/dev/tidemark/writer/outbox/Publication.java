package dev.tidemark.writer.outbox;

import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Expectation;
import dev.tidemark.change.Handover;
import dev.tidemark.writer.commit.CommittedChange;

/**
 * A message and where it goes.
 *
 * @param table name of the fact table, which names the topic
 * @param partition which partition of it
 * @param handover when the change was on disk, and is handed over; {@link Handover#UNKNOWN} where nobody asks for it
 * @param expectation where it will be when the log has lost nothing and nobody else has written
 */
public record Publication(
        String table, int partition, ChangeMessage message, Handover handover, Expectation expectation) {
    Publication(String table, int partition, ChangeMessage message) {
        this(table, partition, message, Handover.UNKNOWN, Expectation.NONE);
    }

    EventPublisher.Shard shard() {
        return new EventPublisher.Shard(table, partition);
    }

    Publication expected(Expectation place) {
        return new Publication(table, partition, message, handover, place);
    }

    static Publication of(CommittedChange change, Handover handover) {
        return new Publication(change.table(), change.partition(), change.event(), handover, Expectation.NONE);
    }
}
