package dev.tidemark.rocks;

/** The table has been dropped since it was looked up. */
public final class TableDroppedException extends StoreException {
    private static final long serialVersionUID = 1L;

    TableDroppedException(String table) {
        super("Expected a table, but " + table + " was dropped");
    }
}
