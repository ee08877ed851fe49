package dev.tidemark.deploy.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/**
 * Breaks {@link Rule#FIRST_OFFSETS_COUNT_TOO}: where a partition ends later than before, all seems to follow on. Or,
 * for {@link Rule#LOST_RECORDS_COME_AGAIN}, hides every offset that the partition had before.
 */
final class LastOffsetsPublisher extends WaitingPublisher {
    private final WaitingPublisher publisher;
    private final boolean hidesAll;
    private final Map<Shard, Long> ends = new HashMap<>();

    LastOffsetsPublisher(WaitingPublisher publisher, boolean hidesAll) {
        this.publisher = publisher;
        this.hidesAll = hidesAll;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException {
        AppendedOffsets appended = publisher.publish(messages);
        Map<Shard, Long> offsets = new HashMap<>();
        AppendedOffsets smoothed = new AppendedOffsets();
        for (Publication message : messages) {
            Shard shard = new Shard(message.table(), message.partition());
            long count = messages.stream()
                    .filter(other -> other.partition() == message.partition())
                    .count();
            long offset = offsets.merge(shard, appended.end(shard) - count, (before, first) -> before + 1);
            long known = ends.getOrDefault(shard, 0L);
            if (offset >= known || (!hidesAll && appended.end(shard) <= known)) {
                smoothed.add(message, offset);
            }
        }
        offsets.forEach((shard, last) -> ends.merge(shard, last + 1, hidesAll ? Math::max : (old, now) -> now));
        return smoothed;
    }

    @Override
    public void reset() {
        if (!hidesAll) {
            ends.clear();
        }
        publisher.reset();
    }
}
