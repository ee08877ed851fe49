package dev.tidemark.deploy.simulation;

import java.util.List;
import java.util.Optional;

import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/** Breaks {@link Rule#COMMIT_TIMES_SAY_NOTHING_OF_A_SOURCE}: changes do not say that they come from a source. */
final class SourcelessPublisher extends WaitingPublisher {
    private final WaitingPublisher publisher;

    SourcelessPublisher(WaitingPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException {
        return publisher.publish(messages.stream()
                .map(message -> new Publication(
                        message.table(),
                        message.partition(),
                        message.message(),
                        message.handover(),
                        message.expectation(),
                        Optional.empty()))
                .toList());
    }

    @Override
    public void reset() {
        publisher.reset();
    }
}
