package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;

/**
 * Keeps the freshness of each index over the last 15 minutes, in memory only. Each point is the worst sample of its
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

    /** The last point of an index is of the interval that has not ended. */
    private final Map<String, Deque<Point>> tracks = new HashMap<>();

    /**
     * The worst sample of one interval.
     *
     * @param at the end of the interval
     * @param freshness empty when it is unknown
     */
    public record Point(Instant at, Optional<Duration> freshness) {}

    /** Records a sample of every index, and forgets those of other indexes. */
    public void sample(Definitions definitions, LagMeter meter, Instant now) {
        Set<String> sampled = new HashSet<>();
        for (DesiredTable table : definitions.tables()) {
            for (DesiredIndex index : table.indexes()) {
                List<ShardLag> answering = meter.ofAnswering(table.definition(), index);
                String name = index.current().definition().qualifiedName();
                sample(name, LagMeter.freshness(answering), now);
                sampled.add(name);
            }
        }
        retain(sampled);
    }

    private synchronized void retain(Set<String> indexes) {
        tracks.keySet().retainAll(indexes);
    }

    /** Takes note of one sample; samples of an index come in the order of their times. */
    synchronized void sample(String index, Optional<Duration> freshness, Instant at) {
        Deque<Point> points = tracks.computeIfAbsent(index, name -> new ArrayDeque<>());
        Instant end = endOfInterval(at);
        Point last = points.peekLast();
        boolean ended = last == null || !last.at().equals(end);
        points.addLast(
                new Point(end, ended ? freshness : worse(points.removeLast().freshness(), freshness)));
        if (points.size() > MOST_POINTS + 1) {
            points.removeFirst();
        }
    }

    /** The points of an index by its qualified name, oldest first, without the interval that has not ended. */
    public synchronized List<Point> of(String index) {
        List<Point> points = new ArrayList<>(tracks.getOrDefault(index, new ArrayDeque<>()));
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
