package dev.tidemark.worker.store;

import java.nio.file.Path;

/** A shard on disk that a newer version of the worker wrote. It stays as it is, and is not rebuilt in its place. */
public final class NewerShardException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A shard of a format that is not known.
     *
     * @param known the newest format that this version reads
     */
    public NewerShardException(Path path, int known, int found) {
        super("expected " + path + " to have format " + known + " at most, but it has format " + found
                + ": a newer version of Tidemark wrote it. Run that version, or move the directory aside to build the"
                + " shard from its topic");
    }
}
