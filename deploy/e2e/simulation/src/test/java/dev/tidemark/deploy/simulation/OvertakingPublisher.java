package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/** Breaks {@link Rule#HEARTBEATS_COME_LAST}: changes wait for the next heartbeat, and are sent after it. */
final class OvertakingPublisher extends WaitingPublisher {
    private final WaitingPublisher publisher;
    private final List<Publication> waiting = new ArrayList<>();

    OvertakingPublisher(WaitingPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException {
        if (messages.stream().noneMatch(message -> message.message() instanceof Heartbeat)) {
            waiting.addAll(messages);
            return new AppendedOffsets();
        }
        publisher.publish(messages);
        if (!waiting.isEmpty()) {
            publisher.publish(List.copyOf(waiting));
            waiting.clear();
        }
        return new AppendedOffsets();
    }

    @Override
    public void reset() {
        publisher.reset();
    }
}
