package dev.tidemark.progress;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.SourceMark;
import dev.tidemark.row.RowVersion;

/**
 * How complete one partition is at one place. Only grows, unless a record says what cannot be true beside what was said
 * before.
 *
 * @param completeUpTo the watermark: every change of the partition committed at or before it is in; {@link Instant#MIN}
 *     while nothing is known, and year 1 while nothing is known of the source of the rows
 * @param through every change of the partition with a version up to this one is in
 */
public record Progress(Instant completeUpTo, RowVersion through) {

    /** Nothing is known yet. */
    public static final Progress UNKNOWN = new Progress(Instant.MIN, RowVersion.NONE);

    /**
     * Stands for the watermark of a partition that is whole, and whose source has not said yet how far it is. Earlier
     * than any other one.
     */
    private static final Instant NOT_SAID = Instant.parse("0001-01-01T00:00:00Z");

    /** The watermark, empty while nothing is known, or nothing of the source that the rows come from. */
    public Optional<Instant> watermark() {
        return isWhole() && completeUpTo.isAfter(NOT_SAID) ? Optional.of(completeUpTo) : Optional.empty();
    }

    /** Whether everything is in that was in the partition at one moment. */
    public boolean isWhole() {
        return !completeUpTo.equals(Instant.MIN);
    }

    /**
     * Progress after a heartbeat. One from before the fact table went back in time, which arrives late, says nothing of
     * the source any more.
     */
    public Progress after(Heartbeat heartbeat) {
        return heartbeat
                .source()
                .map(mark -> heartbeat.frontier().epoch() < through.epoch()
                        ? this
                        : replacedBy(new Progress(watermark(heartbeat, mark), heartbeat.frontier())))
                .orElseGet(() -> heard(heartbeat.completeUpTo(), heartbeat.frontier()));
    }

    private static Instant watermark(Heartbeat heartbeat, SourceMark mark) {
        Instant ofSource =
                mark.watermark().filter(time -> time.isAfter(NOT_SAID)).orElse(NOT_SAID);
        return ofSource.isBefore(heartbeat.completeUpTo()) ? ofSource : heartbeat.completeUpTo();
    }

    /**
     * What holds after a heartbeat of a source. Its watermark counts, even if it is earlier: the one before may be of
     * the time when clients wrote the rows, and then it says nothing of the source.
     */
    public Progress replacedBy(Progress ofSource) {
        return new Progress(ofSource.completeUpTo, through.isAfter(ofSource.through) ? through : ofSource.through);
    }

    /**
     * Progress after an event. The watermark stays one nanosecond below the event's commit time, because another change
     * of that very moment may follow.
     */
    public Progress after(ChangeEvent event) {
        return event.inCommitOrder() ? heard(event.committedAt().minusNanos(1), event.version()) : this;
    }

    /** Progress after a change whose commit time is not believed, or says nothing of the source of its row. */
    public Progress after(RowVersion version) {
        return advanced(completeUpTo, version);
    }

    /** The same where nothing is known of the source any more. */
    public Progress withoutSource() {
        return isWhole() ? new Progress(NOT_SAID, through) : this;
    }

    /**
     * What holds where both hold: the later of the two times and of the two versions. Of two epochs only the later one
     * counts, because the clock may have gone back in between.
     */
    public Progress orLater(Progress other) {
        long difference = through.epoch() - other.through.epoch();
        if (difference != 0) {
            return difference > 0 ? this : other;
        }
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
