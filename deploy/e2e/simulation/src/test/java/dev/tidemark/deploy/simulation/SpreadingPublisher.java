package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/**
 * Breaks {@link Rule#PARTITIONS_AS_RECORDED}: somebody has given the topic one partition more, rows are spread over all
 * that there are now, and nobody reads the last one.
 */
final class SpreadingPublisher extends WaitingPublisher {
    private final WaitingPublisher publisher;
    private final ToIntFunction<String> partitions;

    /** A publisher to topics that have so many partitions now, by table. */
    SpreadingPublisher(WaitingPublisher publisher, ToIntFunction<String> partitions) {
        this.publisher = publisher;
        this.partitions = partitions;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException {
        List<Publication> read = new ArrayList<>();
        for (Publication message : messages) {
            Publication spread = spread(message);
            if (spread.partition() < partitions.applyAsInt(spread.table()) - 1) {
                read.add(spread);
            }
        }
        return read.isEmpty() ? new AppendedOffsets() : publisher.publish(read);
    }

    @Override
    public void reset() {
        publisher.reset();
    }

    private Publication spread(Publication message) {
        return message.message() instanceof ChangeEvent event
                ? new Publication(
                        message.table(),
                        Math.floorMod(event.key().hashCode(), partitions.applyAsInt(message.table())),
                        event,
                        message.handover(),
                        message.expectation(),
                        Optional.empty())
                : message;
    }
}
