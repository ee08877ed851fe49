package dev.tidemark.writer.outbox;

import java.util.List;

/** The way into the log; for the relay alone. */
public interface EventPublisher {
    /**
     * Begins to append messages of one table, those of one partition in the order given. What is begun later is
     * appended later, or not at all.
     *
     * @throws PublishException when they could not be sent; any of them may have been appended. {@link #reset()} must
     *     follow before the next call.
     */
    Sending begin(List<Publication> messages) throws PublishException, InterruptedException;

    /**
     * Gives up all messages under way. Messages sent before may still be appended after messages sent next. Their
     * offsets show it, since those were not acknowledged.
     */
    void reset();

    /** Messages on their way into the log. */
    interface Sending {
        /** Whether the result of every message is known. */
        boolean isDone();

        /**
         * Waits until all are acknowledged.
         *
         * @return the offsets of the messages
         * @throws PublishException when not all were acknowledged; any of them may have been appended. {@link #reset()}
         *     must follow before anything else is begun.
         * @throws TopicFailedException when the log refuses them for a reason that lies in their topic; any of them may
         *     have been appended
         */
        AppendedOffsets appended() throws PublishException, TopicFailedException, InterruptedException;
    }

    /** One partition of one table. */
    record Shard(String table, int partition) {}
}
