package dev.tidemark.worker.forecast;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.DefinitionText;
import dev.tidemark.index.IndexDefinition;

/**
 * Queues forecast requests, and keeps the results of the last {@value #KEPT} in memory. The newest forecast of each
 * definition is kept longer, for comparison with the real build. The oldest of these is dropped when there are more
 * than {@value #MOST}, or when they name too many bytes of keys. For any thread.
 */
public final class ForecastJobs {
    /** The maximum number of forecasts that wait. */
    public static final int MOST_WAITING = 4;

    static final int KEPT = 16;

    /** The maximum number of bytes of the catalogs of all forecasts that are kept, in addition to the newest. */
    static final long KEPT_BYTES = 8L << 20;

    static final int MOST = 256;

    /** Bytes of the keys that the newest forecasts of all definitions name. */
    private static final long MOST_BYTES = 4L << 20;

    private final TreeMap<Long, ForecastJob> forecastJobs = new TreeMap<>();
    private final Map<String, Kept> byDefinition = new LinkedHashMap<>();
    private long last;

    /**
     * Has no job yet.
     *
     * @param last a number that no earlier process has given to a job, nor a larger one: who still asks for a job of
     *     before does not get another
     */
    public ForecastJobs(long last) {
        this.last = last;
    }

    /**
     * A forecast of an index and its basis.
     *
     * @param table the forecast of its table
     */
    public record Kept(TableForecast table, IndexForecast index) {
        /** Rows that the shards of the index would have: a global one has a row in each partition of its entries. */
        public long rows() {
            return index.placements()
                    .map(placements -> Math.round(placements.recordsPerChange() * table.rows()))
                    .orElse(table.rows());
        }
    }

    /**
     * Puts a forecast request in the queue; empty when too many wait already.
     *
     * @param bytes size of the catalog in the request
     */
    public synchronized Optional<ForecastJob> ask(Catalog wanted, long bytes, double fraction) {
        if (forecastJobs.values().stream().filter(ForecastJob::isWaiting).count() >= MOST_WAITING) {
            return Optional.empty();
        }
        last++;
        ForecastJob forecastJob = new ForecastJob(last, wanted, bytes, fraction, new ForecastJob.Waiting());
        forecastJobs.put(last, forecastJob);
        // The oldest come first, so those after one that is not over are not over either.
        while ((forecastJobs.size() > KEPT || bytes() > KEPT_BYTES)
                && forecastJobs.firstEntry().getValue().isOver()) {
            forecastJobs.pollFirstEntry();
        }
        return Optional.of(forecastJob);
    }

    private long bytes() {
        return forecastJobs.values().stream().mapToLong(ForecastJob::bytes).sum();
    }

    /** The request with that number; empty when there was none, or it is no longer kept. */
    public synchronized Optional<ForecastJob> find(long id) {
        return Optional.ofNullable(forecastJobs.get(id));
    }

    /** The one to work on. */
    synchronized Optional<ForecastJob> next() {
        return forecastJobs.values().stream()
                .filter(forecastJob -> !forecastJob.isOver())
                .findFirst();
    }

    /** Records the progress of a request. */
    synchronized void report(long id, ForecastJob.State state) {
        forecastJobs.computeIfPresent(id, (same, forecastJob) -> forecastJob.in(state));
        if (state instanceof ForecastJob.Done done) {
            done.tables().forEach(this::keep);
        }
    }

    /** The newest forecast of an index of that definition, however long ago; empty when there was none. */
    public synchronized Optional<Kept> forecast(IndexDefinition index) {
        return Optional.ofNullable(byDefinition.get(key(index)));
    }

    private void keep(TableForecast table) {
        for (IndexForecast index : table.indexes()) {
            String key = key(index.change().index());
            // Insertion order: the newest forecast is last, and the first one is dropped first.
            byDefinition.remove(key);
            byDefinition.put(key, new Kept(table, index));
        }
        while (byDefinition.size() > 1 && (byDefinition.size() > MOST || forecastBytes() > MOST_BYTES)) {
            byDefinition.remove(byDefinition.keySet().iterator().next());
        }
    }

    private long forecastBytes() {
        return byDefinition.values().stream()
                .map(Kept::table)
                .distinct()
                .mapToLong(TableForecast::bytes)
                .sum();
    }

    private static String key(IndexDefinition index) {
        return index.qualifiedName() + " " + DefinitionText.of(index);
    }
}
