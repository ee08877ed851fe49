package dev.tidemark.worker.copy;

import java.time.Instant;

import dev.tidemark.worker.store.ShardContents;
import dev.tidemark.worker.store.ShardOrigin;

/**
 * What a copy is of.
 *
 * @param copy names the copy at its holder
 * @param format number of the format of its files
 * @param nextOffset the first offset that its shard has not applied
 * @param lastCaughtUp when its shard last had applied every record
 */
public record CopyHead(String copy, int format, ShardOrigin origin, long nextOffset, Instant lastCaughtUp) {
    static CopyHead of(String copy, int format, ShardContents contents) {
        return new CopyHead(
                copy,
                format,
                contents.origin(),
                contents.checkpoint().nextOffset(),
                contents.checkpoint().lastCaughtUp());
    }
}
