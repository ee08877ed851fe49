package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Catalog;

/**
 * Keeps the freshness of each table over the last 15 minutes, in memory only. Each point is the worst sample of its
 * interval, so that no short peak is lost. If one sample is unknown, its point is unknown. An interval without a sample
 * has no point. For any thread.
 */
public final class FreshnessHistory {
    /** Time that one point stands for. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** Time from one sample to the next. */
    public static final Duration SAMPLE_EVERY = Duration.ofMillis(500);

    /** How far back it goes. */
    public static final Duration SPAN = Duration.ofMinutes(15);

    private static final long MOST_POINTS = SPAN.dividedBy(INTERVAL);

    private final Map<String, Track> tracks = new ConcurrentHashMap<>();

    /**
     * The worst sample of one interval.
     *
     * @param at the end of the interval
     * @param freshness empty when it is unknown
     */
    public record Point(Instant at, Optional<Duration> freshness) {}

    /** Records a sample of every table. */
    public void sample(Catalog catalog, LagMeter meter, Instant now) {
        catalog.tables().forEach(table -> sample(table.name(), LagMeter.freshness(meter.ofWhole(table)), now));
    }

    /** Takes note of one sample; samples of a table come in the order of their times. */
    void sample(String table, Optional<Duration> freshness, Instant at) {
        tracks.computeIfAbsent(table, name -> new Track()).add(freshness, at);
    }

    /** The points of a table, oldest first, without the interval that has not ended. */
    public List<Point> of(String table) {
        return Optional.ofNullable(tracks.get(table)).map(Track::points).orElse(List.of());
    }

    private static final class Track {
        private final Deque<Point> ended = new ArrayDeque<>();
        private @Nullable Point current;

        synchronized void add(Optional<Duration> freshness, Instant at) {
            Instant end = endOfInterval(at);
            Point before = current;
            if (before == null || !before.at().equals(end)) {
                if (before != null) {
                    ended.addLast(before);
                }
                current = new Point(end, freshness);
            } else {
                current = new Point(end, worse(before.freshness(), freshness));
            }
            while (ended.size() > MOST_POINTS) {
                ended.removeFirst();
            }
        }

        synchronized List<Point> points() {
            return new ArrayList<>(ended);
        }

        private static Instant endOfInterval(Instant at) {
            long seconds = INTERVAL.toSeconds();
            return Instant.ofEpochSecond((Math.floorDiv(at.getEpochSecond(), seconds) + 1) * seconds);
        }

        private static Optional<Duration> worse(Optional<Duration> a, Optional<Duration> b) {
            return a.flatMap(first -> b.map(second -> first.compareTo(second) >= 0 ? first : second));
        }
    }
}
