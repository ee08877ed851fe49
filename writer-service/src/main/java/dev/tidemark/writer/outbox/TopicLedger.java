package dev.tidemark.writer.outbox;

import java.util.Optional;

/** What the writer remembers of its topics; for the relay alone. */
public interface TopicLedger {
    Optional<TopicRecord> find(String table);

    /**
     * Remembers.
     *
     * @param durably whether even a power cut must not undo it
     */
    void save(String table, TopicRecord topic, boolean durably);
}
