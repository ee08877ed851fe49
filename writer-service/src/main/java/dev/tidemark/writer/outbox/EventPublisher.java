package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Map;

/** The way into the log; for the relay alone. */
public interface EventPublisher {
    /**
     * Appends messages, those of one partition in the order given, and returns when the log has acknowledged all of them.
     *
     * @return the offset after the last message, for each partition written to
     * @throws PublishException when not all were acknowledged; any of them may have been appended. {@link #reset()} must
     *     follow before the next call.
     */
    Map<Shard, Long> publish(List<Publication> messages) throws PublishException, InterruptedException;

    /** Gives up whatever is under way, so that nothing sent before can arrive after what is sent next. */
    void reset();

    /** One partition of one table. */
    record Shard(String table, int partition) {}
}
