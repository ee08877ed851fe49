package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/**
 * Breaks {@link Rule#A_LAYOUT_SPEAKS_ONCE_IT_IS_FULL}: each heartbeat of a table goes to its layouts too, however far
 * they are filled.
 */
final class HastyLayouts extends WaitingPublisher {
    private final WaitingPublisher publisher;
    private final SimulatedTopics topics;

    HastyLayouts(WaitingPublisher publisher, SimulatedTopics topics) {
        this.publisher = publisher;
        this.topics = topics;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException {
        AppendedOffsets appended = publisher.publish(messages);
        List<Publication> hasty = new ArrayList<>();
        for (Publication message : messages) {
            if (message.message() instanceof Heartbeat heartbeat && message.partition() == 0) {
                topics.layoutsOf(message.table()).forEach(layout -> addTo(layout, heartbeat, hasty));
            }
        }
        if (!hasty.isEmpty()) {
            publisher.publish(hasty);
        }
        return appended;
    }

    private void addTo(String layout, Heartbeat heartbeat, List<Publication> hasty) {
        for (int partition = 0; partition < topics.of(layout).partitions().size(); partition++) {
            hasty.add(new Publication(
                    layout, partition, heartbeat, PublishTimings.UNKNOWN, ExpectedPosition.NONE, Optional.empty()));
        }
    }

    @Override
    public void reset() {
        publisher.reset();
    }
}
