package dev.tidemark.rocks;

/** The store is closed or about to close. The caller must find the new store or give up. */
public final class StoreClosedException extends StoreException {
    private static final long serialVersionUID = 1L;

    StoreClosedException(String store) {
        super("Expected an open store, but " + store + " is closed");
    }
}
