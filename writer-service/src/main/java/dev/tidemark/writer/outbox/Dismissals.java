package dev.tidemark.writer.outbox;

import java.util.concurrent.CompletableFuture;

import dev.tidemark.key.KeyBytes;

/**
 * Takes records of keys that no row has out of topics, so that workers keep nothing of them in quarantine; for any
 * thread.
 */
public interface Dismissals {
    /** The outcome of a dismissal. */
    enum Outcome {
        /** The removal of the key stands in the topic. */
        PUBLISHED,
        /** A row has the key, and belongs into that partition; nothing was published. */
        ROW_EXISTS,
        /** The table, or the generation of a global index, has no such partition. */
        NO_PARTITION,
        /**
         * The topic of the table is not in use at the moment, or did not acknowledge the removal: it may stand there or
         * not.
         */
        UNAVAILABLE
    }

    /**
     * Has the removal of a key published.
     *
     * @param table whose topic has the record; of a global index, the table that is derived
     * @param partition where the record stands, which need not be the one that the key belongs into
     * @param key as the record has it; need not be a key of the table
     * @return completes within seconds, and with an outcome
     */
    CompletableFuture<Outcome> dismiss(String table, int partition, KeyBytes key);
}
