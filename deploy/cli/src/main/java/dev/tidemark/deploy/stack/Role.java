package dev.tidemark.deploy.stack;

import java.util.Locale;

/**
 * What a process of a stack is, in the order in which they start. They end in the opposite order. Not every stack runs
 * a PostgreSQL.
 */
public enum Role {
    BROKER,
    POSTGRESQL,
    WRITER,
    WORKER;

    /** The name in messages, file names and options. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
