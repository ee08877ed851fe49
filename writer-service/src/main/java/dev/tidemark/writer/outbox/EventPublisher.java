package dev.tidemark.writer.outbox;

import java.util.List;

/** The way into the log; for the relay alone. */
public interface EventPublisher {
    /**
     * Appends messages, those of one partition in the order given, and returns when the log has acknowledged all of them.
     *
     * @return the offsets of the messages
     * @throws PublishException when not all were acknowledged; any of them may have been appended. {@link #reset()} must
     *     follow before the next call.
     */
    Appended publish(List<Publication> messages) throws PublishException, InterruptedException;

    /**
     * Appends messages as {@link #publish} does, but need not wait until the log has acknowledged them. What is begun later
     * is appended later.
     *
     * @throws PublishException as {@link #publish}
     */
    default Sending begin(List<Publication> messages) throws PublishException, InterruptedException {
        Appended appended = publish(messages);
        return new Sending() {
            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public Appended appended() {
                return appended;
            }
        };
    }

    /** Gives up whatever is under way, so that nothing sent before can arrive after what is sent next. */
    void reset();

    /** Messages on their way into the log. */
    interface Sending {
        /** Whether it is known for all of them what became of them. */
        boolean isDone();

        /**
         * Waits until all are acknowledged.
         *
         * @return as {@link EventPublisher#publish}
         * @throws PublishException as {@link EventPublisher#publish}
         */
        Appended appended() throws PublishException, InterruptedException;
    }

    /** One partition of one table. */
    record Shard(String table, int partition) {}
}
