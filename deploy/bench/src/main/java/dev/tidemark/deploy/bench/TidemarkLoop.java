package dev.tidemark.deploy.bench;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.VisibilityFigures.Measure;
import dev.tidemark.deploy.probe.MetricText;
import dev.tidemark.runtime.BoundedWait;

/**
 * Tidemark, written to through the writer's HTTP API.
 *
 * <p>Its latency is what the worker counts for every change, from the time stamp that the committer takes before it
 * plans and syncs the commit, to the moment when queries find the change. Some changes are also followed from outside,
 * by this process's clock alone, which must give a consistent result.
 */
public final class TidemarkLoop implements BenchSystems.MeasuredSystem {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK_PATIENCE = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofMillis(100);

    /** Changes a second. */
    private static final int CALM = 300;

    private static final int BUSY = 1_000;

    /** Number of changes per second that are each looked for by a query. */
    private static final int LOOKS_PER_SECOND = 10;

    private final TidemarkTarget target;
    private final Clock clock;
    private final int rows;
    private final int copies;
    private long changes;

    /** What was seen of one round from outside, in microseconds. */
    private record Seen(Queue<Long> sinceSent, Queue<Long> sinceAnswered) {}

    /** One whose table has {@value CustomerRow#CUSTOMERS} rows and local indexes. */
    public TidemarkLoop(TidemarkTarget target, Clock clock) {
        this(target, clock, CustomerRow.CUSTOMERS, 1);
    }

    /**
     * One that changes rows of a table.
     *
     * @param rows how many it changes
     * @param copies in how many partitions of an index a change is found at most
     */
    TidemarkLoop(TidemarkTarget target, Clock clock, int rows, int copies) {
        this.target = target;
        this.clock = clock;
        this.rows = rows;
        this.copies = copies;
    }

    @Override
    public Map<Figure, Double> run(Load load) throws Exception {
        MetricsPage before = page();
        Seen seen = new Seen(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
        Queue<CompletableFuture<?>> underWay = new ConcurrentLinkedQueue<>();
        int lookEvery = Math.max(1, load.perSecond() / load.burst() / LOOKS_PER_SECOND);
        load.send(clock, (burst, due) -> {
            List<CustomerRow> rows = next(load.burst());
            CompletableFuture<String> written = rows.size() == 1 ? target.put(rows.get(0)) : target.load(rows);
            underWay.add(burst % lookEvery == 0 ? look(rows, due, written, seen) : written);
        });
        await(underWay);
        MetricsPage after = awaitVisible(before, load.changes());
        Latencies visible = after.visibility().since(before.visibility());
        Map<Figure, Double> found = new HashMap<>(VisibilityFigures.quantiles(Measure.VISIBILITY, visible));
        found.putAll(VisibilityFigures.quantiles(Measure.SENT_TO_SEEN, counted(seen.sinceSent(), visible)));
        found.putAll(VisibilityFigures.quantiles(Measure.ANSWERED_TO_SEEN, counted(seen.sinceAnswered(), visible)));
        after.stageMeansSince(before).forEach((stage, mean) -> found.put(VisibilityFigures.stage(stage), mean));
        return found;
    }

    /**
     * How long changes take at a rate that leaves two processors time to rest, and at one that hardly does.
     *
     * @param time of each round
     * @return milliseconds
     */
    Map<Figure, Double> visibility(Duration time) throws Exception {
        Map<Figure, Double> calm = run(Load.of(CALM, time));
        Map<Figure, Double> busy = run(Load.of(BUSY, time));
        return Map.of(
                Figure.VISIBLE_CALM, millis(calm, "p50"),
                Figure.VISIBLE_CALM_P99, millis(calm, "p99"),
                Figure.VISIBLE, millis(busy, "p50"),
                Figure.VISIBLE_P99, millis(busy, "p99"));
    }

    private static double millis(Map<Figure, Double> round, String quantile) {
        return round.getOrDefault(Measure.VISIBILITY.at(quantile), Double.NaN) * 1e3;
    }

    private List<CustomerRow> next(int many) {
        long first = changes;
        changes += many;
        return IntStream.range(0, many)
                .mapToObj(i -> CustomerRow.ofChange(first + i, rows))
                .toList();
    }

    private CompletableFuture<?> look(
            List<CustomerRow> rows, Instant due, CompletableFuture<String> written, Seen seen) {
        String town = rows.get(rows.size() - 1).town();
        return written.thenCompose(token -> {
            Instant answered = clock.instant();
            return target.query(town, token, LOOK_PATIENCE).handle((done, failure) -> {
                // Refused, because too many wait: it was not seen, which counts as very late.
                Instant now = failure == null ? clock.instant() : due.plus(LOOK_PATIENCE);
                seen.sinceSent().add(micros(due, now));
                seen.sinceAnswered().add(micros(answered, now));
                return now;
            });
        });
    }

    private static void await(Queue<CompletableFuture<?>> underWay) throws Exception {
        try {
            CompletableFuture.allOf(underWay.toArray(CompletableFuture<?>[]::new))
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new BenchException("a request failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new BenchException("a request was not answered within " + PATIENCE.toSeconds() + " s", e);
        }
    }

    private MetricsPage awaitVisible(MetricsPage before, int expected) throws Exception {
        // Loading nothing waits until the index has everything, however many copies of a change there are.
        target.load(Stream.empty());
        Instant end = clock.instant().plus(PATIENCE);
        MetricsPage now = page();
        while (count(now, before) < expected && clock.instant().isBefore(end)) {
            BoundedWait.rest(STEP);
            now = page();
        }
        if (count(now, before) < expected || count(now, before) > (long) expected * copies) {
            throw new BenchException(
                    "expected " + expected + " changes to become visible, but the worker counts " + count(now, before));
        }
        return now;
    }

    private static long count(MetricsPage now, MetricsPage before) {
        return now.visibility().since(before.visibility()).count();
    }

    /** All that became visible since the worker started. */
    public Latencies visibility() throws Exception {
        return page().visibility();
    }

    private MetricsPage page() throws Exception {
        return MetricsPage.parse(target.workerMetrics(), target.table());
    }

    private static Latencies counted(Queue<Long> micros, Latencies like) {
        return Latencies.count(micros.stream().mapToLong(Long::longValue).toArray(), like);
    }

    private static long micros(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1_000;
    }

    /**
     * The way of changes of one table on the worker's metrics page.
     *
     * @param counts all changes that went through a stage
     * @param seconds the time that they took together in it
     */
    record MetricsPage(Latencies visibility, Map<String, Double> counts, Map<String, Double> seconds) {
        /** Reads a page; the table has one index. */
        static MetricsPage parse(String text, String table) {
            Map<String, String> labels = Map.of("table", table);
            Map<Double, Long> upTo = new HashMap<>();
            for (MetricText.Sample sample : MetricText.samples(text, "tidemark_visibility_seconds_bucket", labels)) {
                String bound = sample.labels().getOrDefault("le", "+Inf");
                upTo.put(bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound), (long)
                        sample.value().orElse(0));
            }
            return new MetricsPage(
                    Latencies.cumulative(upTo),
                    byStage(text, "tidemark_stage_seconds_count", labels),
                    byStage(text, "tidemark_stage_seconds_sum", labels));
        }

        private static Map<String, Double> byStage(String text, String metric, Map<String, String> labels) {
            Map<String, Double> sums = new TreeMap<>();
            MetricText.samples(text, metric, labels)
                    .forEach(sample -> sums.merge(
                            sample.labels().getOrDefault("stage", ""),
                            sample.value().orElse(0),
                            Double::sum));
            return sums;
        }

        /** Mean seconds in each stage of the changes since an earlier page. */
        Map<String, Double> stageMeansSince(MetricsPage earlier) {
            Map<String, Double> means = new TreeMap<>();
            counts.forEach((stage, now) -> {
                double count = now - earlier.counts.getOrDefault(stage, 0.0);
                double took = seconds.getOrDefault(stage, 0.0) - earlier.seconds.getOrDefault(stage, 0.0);
                if (count > 0) {
                    means.put(stage, took / count);
                }
            });
            return means;
        }
    }
}
