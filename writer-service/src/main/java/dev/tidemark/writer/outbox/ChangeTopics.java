package dev.tidemark.writer.outbox;

import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;

/** The topics as the log has them; for one thread. */
public interface ChangeTopics {
    /**
     * The topic of a table; empty when there is none.
     *
     * @throws PublishException when the log cannot be asked, or a partition has no leader
     * @throws TopicRefusedException when the log does not let this writer use the topic
     */
    Optional<TopicStatus> find(TableDefinition spec)
            throws PublishException, TopicRefusedException, InterruptedException;

    /**
     * Makes the topic of a table, which must be absent.
     *
     * @throws PublishException when the log cannot be asked
     * @throws TopicRefusedException when the log refuses to make it
     */
    TopicStatus create(TableDefinition spec) throws PublishException, TopicRefusedException, InterruptedException;

    /**
     * Deletes a topic with all that is in it; does nothing where it is gone, even if another of its name is there.
     *
     * @param found the topic as it was looked at
     * @return false when this writer is not allowed to
     * @throws PublishException when the log cannot be asked
     */
    boolean delete(TableDefinition spec, TopicStatus found) throws PublishException, InterruptedException;

    /** Why a topic cannot carry a table's changes by its settings; empty when it can. */
    Optional<String> objection(TableDefinition spec, TopicStatus status);
}
