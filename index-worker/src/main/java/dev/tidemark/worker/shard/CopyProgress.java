package dev.tidemark.worker.shard;

import java.net.URI;

/**
 * How far a shard is that is being taken from another worker, as it was at a moment.
 *
 * @param from the worker that has it
 * @param copiedBytes how much of it is here; less than before where a file was damaged on its way
 * @param copyBytes how much it is
 */
public record CopyProgress(URI from, long copiedBytes, long copyBytes) {}
