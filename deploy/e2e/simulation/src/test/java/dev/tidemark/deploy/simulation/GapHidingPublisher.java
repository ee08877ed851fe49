package dev.tidemark.deploy.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/**
 * Breaks {@link Rule#LATE_RECORDS_ARE_PUBLISHED_OVER}: every record seems to stand where it was expected, or before
 * that.
 */
final class GapHidingPublisher extends WaitingPublisher {
    private final WaitingPublisher publisher;

    GapHidingPublisher(WaitingPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException {
        AppendedOffsets appended = publisher.publish(messages);
        Map<Shard, Long> left = new HashMap<>();
        messages.forEach(message -> left.merge(shard(message), 1L, Long::sum));
        AppendedOffsets smoothed = new AppendedOffsets();
        for (Publication message : messages) {
            long offset = appended.end(shard(message)) - left.merge(shard(message), -1L, Long::sum) - 1;
            long expected = message.expectation().offset();
            smoothed.add(message, expected == ExpectedPosition.UNKNOWN ? offset : Math.min(offset, expected));
        }
        return smoothed;
    }

    @Override
    public void reset() {
        publisher.reset();
    }

    private static Shard shard(Publication message) {
        return new Shard(message.table(), message.partition());
    }
}
