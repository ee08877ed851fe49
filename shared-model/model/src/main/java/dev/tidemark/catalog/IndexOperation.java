package dev.tidemark.catalog;

import java.util.Locale;

/**
 * Something to be done with one index that leaves its wanted definition as it is, or returns to the one before.
 *
 * @param index its bare name
 */
public record IndexOperation(Kind kind, String table, String index) {

    /** What there is to order. */
    public enum Kind {
        /** Let building rest. */
        PAUSE,
        /** Build on. */
        RESUME,
        /** Give up the current generation: the previous one is in force again, and an index without one is dropped. */
        CANCEL,
        /** Put the previous generation in force again and keep the current one beside it. */
        ROLLBACK,
        /** Drop the previous generation. */
        RETIRE;

        /** As users write it: in lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
