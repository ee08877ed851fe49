package dev.tidemark.writer.killpoint;

import java.util.List;

import dev.tidemark.runtime.KillPoints;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/** A way into the log with a place after each handing over. */
public record KillablePublisher(EventPublisher publisher, KillPoints points) implements EventPublisher {
    @Override
    public Sending begin(List<Publication> messages) throws PublishException, InterruptedException {
        Sending sending = publisher.begin(messages);
        points.reach(WriterPoint.RELAY_SENT.label());
        return sending;
    }

    @Override
    public void reset() {
        publisher.reset();
    }
}
