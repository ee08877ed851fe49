package dev.tidemark.source.topic;

/** A record lacks a value that did not change, and an earlier record with that value may not have been read. */
final class UnsentException extends Exception {
    private static final long serialVersionUID = 1L;

    UnsentException(String why) {
        super(why);
    }
}
