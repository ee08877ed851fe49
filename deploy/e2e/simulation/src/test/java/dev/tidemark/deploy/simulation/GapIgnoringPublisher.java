package dev.tidemark.deploy.simulation;

import java.util.List;

import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/** Breaks {@link Rule#NEVER_PAST_A_GAP}: a send that failed counts as done. */
final class GapIgnoringPublisher extends WaitingPublisher {
    private final WaitingPublisher publisher;

    GapIgnoringPublisher(WaitingPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException {
        try {
            return publisher.publish(messages);
        } catch (PublishException e) {
            publisher.reset();
            return new AppendedOffsets();
        }
    }

    @Override
    public void reset() {
        publisher.reset();
    }
}
