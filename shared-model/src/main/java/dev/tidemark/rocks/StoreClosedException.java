package dev.tidemark.rocks;

/** The store has been closed, or is about to be; whoever asked must find the new one or give up. */
public final class StoreClosedException extends StoreException {
    private static final long serialVersionUID = 1L;

    StoreClosedException(String store) {
        super("Expected an open store, but " + store + " is closed");
    }
}
