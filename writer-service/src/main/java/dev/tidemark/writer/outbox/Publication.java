package dev.tidemark.writer.outbox;

import java.util.Optional;

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
 * @param source name of the source that the row of a change comes from; empty where clients write the rows
 */
public record Publication(
        String table,
        int partition,
        ChangeMessage message,
        PublishTimings handover,
        ExpectedPosition expectation,
        Optional<String> source) {
    /** A message of a table that clients write. */
    Publication(String table, int partition, ChangeMessage message) {
        this(table, partition, message, PublishTimings.UNKNOWN, ExpectedPosition.NONE, Optional.empty());
    }

    EventPublisher.Shard shard() {
        return new EventPublisher.Shard(table, partition);
    }

    Publication expected(ExpectedPosition place) {
        return new Publication(table, partition, message, handover, place, source);
    }

    Publication with(ChangeMessage other) {
        return new Publication(table, partition, other, handover, expectation, source);
    }

    Publication handedOver(PublishTimings times) {
        return new Publication(table, partition, message, times, expectation, source);
    }

    Publication from(String name) {
        return new Publication(table, partition, message, handover, expectation, Optional.of(name));
    }

    static Publication of(CommittedChange change, PublishTimings handover) {
        return new Publication(
                change.table(), change.partition(), change.event(), handover, ExpectedPosition.NONE, Optional.empty());
    }
}
