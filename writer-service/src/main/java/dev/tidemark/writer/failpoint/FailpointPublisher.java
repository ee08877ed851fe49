package dev.tidemark.writer.failpoint;

import java.util.List;

import dev.tidemark.runtime.Failpoints;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/** A way into the log with a place after each handing over. */
public record FailpointPublisher(EventPublisher publisher, Failpoints points) implements EventPublisher {
    @Override
    public Sending begin(List<Publication> messages) throws PublishException, InterruptedException {
        Sending sending = publisher.begin(messages);
        points.reach(WriterFailpoint.RELAY_SENT.label());
        return sending;
    }

    @Override
    public void reset() {
        publisher.reset();
    }
}
