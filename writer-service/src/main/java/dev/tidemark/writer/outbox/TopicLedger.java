package dev.tidemark.writer.outbox;

import java.util.Optional;
import java.util.Set;

import dev.tidemark.row.RowVersion;

/** What the writer remembers of its topics; for the relay alone once it runs. */
public interface TopicLedger {
    Optional<TopicRecord> find(String table);

    /**
     * Remembers.
     *
     * @param durably whether even a power cut must not undo it
     */
    void save(String table, TopicRecord topic, boolean durably);

    /** The tables whose topics are remembered. */
    Set<String> tables();

    /** Forgets the topic of a table; durable when the call returns. */
    void forget(String table);

    /**
     * A number that was not given before; durable when the call returns.
     *
     * @param least above this, so that a ledger put back to a copy gives none again
     */
    long nextSession(long least);

    /** The last number that was given; 0 before the first. Where topics have a higher one, this ledger went back. */
    long lastSession();

    /**
     * The last commit when a process began that has not asked the topics yet whether they hold more; empty when the
     * question is answered. Nothing is published while it is open.
     */
    Optional<RowVersion> unsettled();

    /** Opens the question whether topics hold changes above a version; durable when the call returns. */
    void unsettled(RowVersion since);

    /** Notes, durably when the call returns, that the question is answered and all that followed from it is done. */
    void settled();
}
