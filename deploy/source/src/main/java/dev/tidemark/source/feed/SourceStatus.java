package dev.tidemark.source.feed;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What a source has done since its start, for metrics and health. Passes all that happens on. For any thread. */
public final class SourceStatus implements Progress {
    private static final double MILLIS_PER_SECOND = 1_000;

    /** What a source does. */
    public enum Stage {
        /** Nothing: it begins, or waits after a failure. */
        WAITING,
        /** It reads all rows. */
        SNAPSHOT,
        FOLLOWING
    }

    private final Progress next;
    private final Clock clock;
    private Stage stage = Stage.WAITING;
    private String complaint = "it begins";
    private long runs;
    private long batches;
    private long changes;
    private long bytes;
    private Optional<Instant> stored = Optional.empty();
    private Optional<Instant> watermark = Optional.empty();

    /**
     * The status of a source that begins.
     *
     * @param next is called with the same
     */
    public SourceStatus(Progress next, Clock clock) {
        this.next = next;
        this.clock = clock;
    }

    @Override
    public synchronized void started(boolean snapshot) {
        stage = snapshot ? Stage.SNAPSHOT : Stage.FOLLOWING;
        runs++;
    }

    @Override
    public synchronized void stopped() {
        stage = Stage.WAITING;
    }

    @Override
    public void began(String why, Map<String, Long> rows) {
        next.began(why, rows);
    }

    @Override
    public void read(String table) {
        next.read(table);
    }

    @Override
    public synchronized void sent(int count, long size, Optional<Instant> reached) {
        batches++;
        changes += count;
        bytes += size;
        stored = Optional.of(clock.instant());
        watermark = reached.or(() -> watermark);
    }

    @Override
    public void ended() {
        synchronized (this) {
            stage = Stage.FOLLOWING;
        }
        next.ended();
    }

    @Override
    public void warn(String text) {
        synchronized (this) {
            complaint = text;
        }
        next.warn(text);
    }

    public synchronized Stage stage() {
        return stage;
    }

    /** The last warning. */
    public synchronized String complaint() {
        return complaint;
    }

    /** How often it has begun again. */
    public synchronized long reconnects() {
        return Math.max(0, runs - 1);
    }

    /** How many batches the writer has taken. */
    public synchronized long batches() {
        return batches;
    }

    /** How many changes were in them. */
    public synchronized long changes() {
        return changes;
    }

    /** How many bytes they had. */
    public synchronized long bytes() {
        return bytes;
    }

    /** When the writer took the last one, in seconds since 1970; NaN before the first. */
    public synchronized double stored() {
        return stored.map(time -> time.toEpochMilli() / MILLIS_PER_SECOND).orElse(Double.NaN);
    }

    /** Seconds since the last watermark that the writer has taken, by the clock of this process; NaN before. */
    public synchronized double watermarkAge() {
        return watermark
                .map(time -> Duration.between(time, clock.instant()).toMillis() / MILLIS_PER_SECOND)
                .orElse(Double.NaN);
    }
}
