package dev.tidemark.worker.store;

/**
 * About how many bytes something takes in a store.
 *
 * @param files in files, as compressed as the store has them
 * @param memory of what is not in a file yet, not compressed
 */
public record StoredBytes(long files, long memory) {
    public static final StoredBytes NONE = new StoredBytes(0, 0);

    /** Both together. */
    public StoredBytes plus(StoredBytes other) {
        return new StoredBytes(files + other.files, memory + other.memory);
    }
}
