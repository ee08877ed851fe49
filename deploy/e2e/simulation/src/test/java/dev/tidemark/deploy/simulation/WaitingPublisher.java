package dev.tidemark.deploy.simulation;

import java.util.List;

import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/** A publisher that knows at once what became of messages. */
abstract class WaitingPublisher implements EventPublisher {
    /**
     * Appends messages, those of one partition in the order given.
     *
     * @return their offsets
     * @throws PublishException when not all were acknowledged; any of them may have been appended
     */
    abstract AppendedOffsets publish(List<Publication> messages) throws PublishException, InterruptedException;

    @Override
    public Sending begin(List<Publication> messages) throws PublishException, InterruptedException {
        AppendedOffsets appended = publish(messages);
        return new Sending() {
            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public AppendedOffsets appended() {
                return appended;
            }
        };
    }
}
