package dev.tidemark.writer.outbox;

import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.writer.commit.CommittedChange;

/**
 * A message and where it goes.
 *
 * @param table name of the fact table, which names the topic
 * @param partition which partition of it
 * @param handover when the change was on disk, and when it is sent; {@link PublishTimings#UNKNOWN} where the times are
 *     not needed
 * @param expectation where it will be when the log has lost nothing and no other process has written
 */
public record Publication(
        String table, int partition, ChangeMessage message, PublishTimings handover, ExpectedPosition expectation) {
    Publication(String table, int partition, ChangeMessage message) {
        this(table, partition, message, PublishTimings.UNKNOWN, ExpectedPosition.NONE);
    }

    EventPublisher.Shard shard() {
        return new EventPublisher.Shard(table, partition);
    }

    Publication expected(ExpectedPosition place) {
        return new Publication(table, partition, message, handover, place);
    }

    static Publication of(CommittedChange change, PublishTimings handover) {
        return new Publication(change.table(), change.partition(), change.event(), handover, ExpectedPosition.NONE);
    }
}
