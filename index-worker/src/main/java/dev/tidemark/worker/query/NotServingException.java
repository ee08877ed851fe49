package dev.tidemark.worker.query;

/** No generation of the index may answer in all shards that are here: it is being built. Asking again may help. */
public final class NotServingException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient IndexNames.Found index;

    public NotServingException(IndexNames.Found index) {
        super("index " + index.definition().qualifiedName() + " is not ready in every shard");
        this.index = index;
    }

    /** The index in the generation that is being built. */
    public IndexNames.Found index() {
        return index;
    }
}
