package dev.tidemark.writer.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
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

    /** Heartbeats to those partitions of tables that have one. */
    static List<Publication> heartbeats(
            Collection<TableDefinition> specs, Function<EventPublisher.Shard, Optional<Heartbeat>> heartbeat) {
        List<Publication> messages = new ArrayList<>();
        for (TableDefinition spec : specs) {
            for (int partition = 0; partition < spec.partitions(); partition++) {
                EventPublisher.Shard shard = new EventPublisher.Shard(spec.name(), partition);
                heartbeat
                        .apply(shard)
                        .ifPresent(one -> messages.add(new Publication(shard.table(), shard.partition(), one)));
            }
        }
        return messages;
    }

    static Publication of(CommittedChange change, PublishTimings handover) {
        return new Publication(
                change.table(), change.partition(), change.event(), handover, ExpectedPosition.NONE, Optional.empty());
    }
}
