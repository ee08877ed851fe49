package dev.tidemark.source.topic;

/** The topics do not lead to the rows of the database. */
final class LostException extends Exception {
    private static final long serialVersionUID = 1L;

    LostException(String why) {
        super(why);
    }
}
