package dev.tidemark.progress;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.row.RowVersion;

/**
 * How complete one partition is at one place. Only grows, unless a record says what cannot be true beside what was said
 * before.
 *
 * @param completeUpTo the watermark: every change of the partition committed at or before it is in; {@link Instant#MIN}
 *     while nothing is known
 * @param through every change of the partition with a version up to this one is in
 */
public record Progress(Instant completeUpTo, RowVersion through) {

    /** Nothing is known yet. */
    public static final Progress UNKNOWN = new Progress(Instant.MIN, RowVersion.NONE);

    /** The watermark, empty while nothing is known. */
    public Optional<Instant> watermark() {
        return completeUpTo.equals(Instant.MIN) ? Optional.empty() : Optional.of(completeUpTo);
    }

    public Progress after(Heartbeat heartbeat) {
        return heard(heartbeat.completeUpTo(), heartbeat.frontier());
    }

    /**
     * Progress after an event. The watermark stays one nanosecond below the event's commit time, because another change
     * of that very moment may follow.
     */
    public Progress after(ChangeEvent event) {
        return event.inCommitOrder() ? heard(event.committedAt().minusNanos(1), event.version()) : this;
    }

    /** Progress after a change whose commit time is not believed. */
    public Progress after(RowVersion version) {
        return advanced(completeUpTo, version);
    }

    /** What holds where both hold: the later of the two times and of the two versions. */
    public Progress orLater(Progress other) {
        return advanced(other.completeUpTo(), other.through());
    }

    public boolean covers(RowVersion version) {
        return !version.isAfter(through);
    }

    /**
     * What holds after a record that says it is complete up to a time and a version. Commit order is one line, so of
     * two such records the one with the later time never has the lower version. Where it has, one of them is forged,
     * and the newer record is believed: the writer's records go on coming, so a forged one counts only until the next
     * of them.
     */
    private Progress heard(Instant time, RowVersion version) {
        boolean agrees = !(time.isAfter(completeUpTo) && through.isAfter(version))
                && !(completeUpTo.isAfter(time) && version.isAfter(through));
        return agrees ? advanced(time, version) : new Progress(time, version);
    }

    private Progress advanced(Instant time, RowVersion version) {
        Instant laterTime = time.isAfter(completeUpTo) ? time : completeUpTo;
        RowVersion laterVersion = version.isAfter(through) ? version : through;
        return new Progress(laterTime, laterVersion);
    }
}
