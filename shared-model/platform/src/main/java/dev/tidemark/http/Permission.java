package dev.tidemark.http;

/** What a call needs of its caller. */
public enum Permission {
    /** Nothing: what it answers is no secret. */
    NOTHING,
    /** Any token: names, lag and state of all tables and indexes. */
    TOKEN,
    /** The scope {@code admin}. */
    ADMIN,
    /** The scope {@code read:metrics} or {@code admin}. */
    METRICS,
    /** The scope {@code peer}: for other workers. */
    PEER,
    /** To read the index that the path parameter {@code index} names. */
    READ_INDEX,
    /** To read rows of the table that the path parameter {@code table} names. */
    READ_ROWS,
    /** To write rows of that table. */
    WRITE_ROWS,
    /** To write rows of every table that follows the source of the path; the call itself checks that. */
    WRITE_SOURCE;

    /** Whether any token is let in; the call itself may ask for more. */
    boolean takesAnyToken() {
        return this == TOKEN || this == WRITE_SOURCE;
    }
}
