package dev.tidemark.worker.apply;

import dev.tidemark.progress.Progress;

/**
 * What readers may be told about a shard's progress. From its opening until it has passed the end that the log had then,
 * they are told what was stored: compaction may have removed a record because a later one replaced it, so in between the
 * shard can hold an older state of a row than a heartbeat already read seems to promise.
 *
 * @param published what readers may be told, and what is stored
 * @param heard what events and heartbeats read so far say
 * @param releaseOffset the end of the log when the shard was opened
 * @param restoring whether that end has not been passed yet
 */
public record PublishedProgress(Progress published, Progress heard, long releaseOffset, boolean restoring) {
    /** The gate of a shard that was just opened. */
    public static PublishedProgress opened(Progress stored, long nextOffset, long endOffset) {
        return new PublishedProgress(stored, stored, endOffset, nextOffset < endOffset);
    }

    /** The gate of a shard that goes back to where that was its progress. */
    PublishedProgress back(Progress earlier, long offset) {
        return new PublishedProgress(earlier, earlier, Math.max(releaseOffset, offset), true);
    }

    /** The gate after more of the log has been applied. */
    public PublishedProgress moved(Progress nowHeard, long nextOffset) {
        boolean still = restoring && nextOffset < releaseOffset;
        // Past the first end the shard has all that it had when it was stored. From then on it is what is heard, back
        // or forth.
        Progress told = still ? published : restoring ? published.orLater(nowHeard) : nowHeard;
        return new PublishedProgress(told, still ? nowHeard : told, releaseOffset, still);
    }
}
