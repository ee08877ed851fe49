package dev.tidemark.worker.query;

import java.net.URI;
import java.util.concurrent.CompletableFuture;

/** Reads from shards of other workers. */
public interface PeerShards {
    /**
     * Sends a part of a question to a worker.
     *
     * @param part whose patience bounds the time until the answer
     * @return completes with an answer in any case; to be cancelled where it is no longer wanted
     */
    CompletableFuture<PeerAnswer> ask(URI worker, IndexQuery part);
}
