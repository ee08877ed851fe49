package dev.tidemark.worker.shard;

/** What any client may be shown of a failure. */
final class PublicFailure {
    private static final String OURS = "dev.tidemark.";

    private PublicFailure() {}

    /**
     * The words of an exception of ours; of others the kind alone, because they may quote what they were given of a
     * row.
     */
    static String of(RuntimeException failure) {
        Class<?> kind = failure.getClass();
        return kind.getName().startsWith(OURS)
                ? String.valueOf(failure.getMessage())
                : "the worker met an unexpected " + kind.getSimpleName() + "; see its log";
    }
}
