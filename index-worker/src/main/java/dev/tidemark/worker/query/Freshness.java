package dev.tidemark.worker.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.tidemark.progress.IndexState;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.lag.StateRule;

/**
 * How recent an answer is.
 *
 * @param completeUpTo every change committed at or before it is in the answer; empty when that cannot be told
 * @param staleness time since then; empty when that cannot be told
 * @param state what the index is doing
 */
public record Freshness(Optional<Instant> completeUpTo, Optional<Duration> staleness, IndexState state) {
    /** How recent what is read from these shards is; they must be all that the index has. */
    public static Freshness of(List<ShardLag> shards) {
        return new Freshness(LagMeter.completeUpTo(shards), LagMeter.freshness(shards), StateRule.of(shards));
    }
}
