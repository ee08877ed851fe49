package dev.tidemark.source.feed;

/** Changes alone no longer lead to the rows of the database: the tables must be read again. */
public final class ReloadException extends Exception {
    private static final long serialVersionUID = 1L;

    public ReloadException(String why) {
        super(why);
    }
}
