package dev.tidemark.worker.apply;

import dev.tidemark.progress.Progress;

/**
 * The progress of a shard that readers see. A shard that was just opened shows its stored progress until it has passed
 * the end offset that the log had at that time. Compaction may have removed a record because a later one replaced it.
 * Until that end the shard can therefore hold an older state of a row than a heartbeat that was already read seems to
 * promise.
 *
 * @param published the progress that readers see and that is stored
 * @param heard the progress by the changes and heartbeats read so far
 * @param releaseOffset the end of the log when the shard was opened
 * @param restoring whether the shard has not passed that end yet
 * @param ofSource whether the last heartbeat that was read was one of a source
 */
public record PublishedProgress(
        Progress published, Progress heard, long releaseOffset, boolean restoring, boolean ofSource) {
    /** The progress of a shard that was just opened. */
    public static PublishedProgress opened(Progress stored, long nextOffset, long endOffset) {
        return new PublishedProgress(stored, stored, endOffset, nextOffset < endOffset, false);
    }

    /** The progress of a shard that goes back to an earlier offset. */
    PublishedProgress back(Progress earlier, long offset) {
        return new PublishedProgress(earlier, earlier, Math.max(releaseOffset, offset), true, false);
    }

    /** The same once the fact table has gone back in time, so that nothing is known of the source any more. */
    PublishedProgress withoutSource() {
        return new PublishedProgress(published.withoutSource(), heard, releaseOffset, restoring, ofSource);
    }

    /**
     * The progress after more of the log has been applied.
     *
     * @param bySource whether the last heartbeat that was read was one of a source
     */
    public PublishedProgress moved(Progress nowHeard, long nextOffset, boolean bySource) {
        boolean still = restoring && nextOffset < releaseOffset;
        // Past the first end the shard has all that it had when it was stored. From then on the progress is that of the
        // records read, even if it goes back.
        Progress told = still ? published : restoring ? first(nowHeard, bySource) : nowHeard;
        return new PublishedProgress(told, still ? nowHeard : told, releaseOffset, still, bySource);
    }

    /** The progress at the first end. What was stored may be of the time before the table followed its source. */
    private Progress first(Progress nowHeard, boolean bySource) {
        return bySource && nowHeard.isWhole() ? published.replacedBy(nowHeard) : published.orLater(nowHeard);
    }
}
