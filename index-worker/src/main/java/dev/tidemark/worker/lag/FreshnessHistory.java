package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;

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

    /** The last point of a table is of the interval that has not ended. */
    private final Map<String, Deque<Point>> tracks = new HashMap<>();

    /**
     * The worst sample of one interval.
     *
     * @param at the end of the interval
     * @param freshness empty when it is unknown
     */
    public record Point(Instant at, Optional<Duration> freshness) {}

    /** Records a sample of every table, and forgets those of other tables. */
    public void sample(Catalog catalog, LagMeter meter, Instant now) {
        retain(catalog.tables().stream().map(TableDefinition::name).collect(Collectors.toSet()));
        catalog.tables().forEach(table -> sample(table.name(), LagMeter.freshness(meter.ofWhole(table)), now));
    }

    private synchronized void retain(Set<String> tables) {
        tracks.keySet().retainAll(tables);
    }

    /** Takes note of one sample; samples of a table come in the order of their times. */
    synchronized void sample(String table, Optional<Duration> freshness, Instant at) {
        Deque<Point> points = tracks.computeIfAbsent(table, name -> new ArrayDeque<>());
        Instant end = endOfInterval(at);
        Point last = points.peekLast();
        boolean ended = last == null || !last.at().equals(end);
        points.addLast(
                new Point(end, ended ? freshness : worse(points.removeLast().freshness(), freshness)));
        if (points.size() > MOST_POINTS + 1) {
            points.removeFirst();
        }
    }

    /** The points of a table, oldest first, without the interval that has not ended. */
    public synchronized List<Point> of(String table) {
        List<Point> points = new ArrayList<>(tracks.getOrDefault(table, new ArrayDeque<>()));
        return points.isEmpty() ? points : points.subList(0, points.size() - 1);
    }

    private static Instant endOfInterval(Instant at) {
        long seconds = INTERVAL.toSeconds();
        return Instant.ofEpochSecond((Math.floorDiv(at.getEpochSecond(), seconds) + 1) * seconds);
    }

    private static Optional<Duration> worse(Optional<Duration> a, Optional<Duration> b) {
        return a.flatMap(first -> b.map(second -> first.compareTo(second) >= 0 ? first : second));
    }
}
