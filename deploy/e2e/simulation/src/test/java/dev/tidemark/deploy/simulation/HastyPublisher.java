package dev.tidemark.deploy.simulation;

import java.util.List;

import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/**
 * Breaks {@link Rule#PUBLISHED_WHEN_ACKNOWLEDGED}: what was handed over counts as done, and is sent with what comes
 * next.
 */
final class HastyPublisher extends WaitingPublisher {
    private final WaitingPublisher publisher;
    private List<Publication> handedOver = List.of();

    HastyPublisher(WaitingPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException {
        List<Publication> before = handedOver;
        handedOver = messages;
        if (!before.isEmpty()) {
            publisher.publish(before);
        }
        return new AppendedOffsets();
    }

    @Override
    public void reset() {
        handedOver = List.of();
        publisher.reset();
    }
}
