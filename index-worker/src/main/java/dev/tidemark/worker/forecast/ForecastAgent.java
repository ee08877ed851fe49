package dev.tidemark.worker.forecast;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.backfill.BackfillSource;
import dev.tidemark.worker.store.ShardId;

/**
 * Computes forecasts, one request at a time and table by table. Has a source only while it works.
 *
 * @param definitions the definitions in force
 * @param sources opens another source of whole records
 * @param memory for what a source holds
 * @param costs the basis of a table's forecast times
 */
public record ForecastAgent(
        ForecastJobs jobs,
        Supplier<Definitions> definitions,
        Supplier<BackfillSource> sources,
        MemoryBudget.Part memory,
        Function<DesiredTable, CostBasis> costs,
        Clock clock)
        implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(ForecastAgent.class);

    /** Most memory that sampled rows take. */
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    /** The client holds about four times what one poll gives. */
    private static final long HELD_BYTES = 16L << 20;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    @Override
    public String roleName() {
        return "forecast";
    }

    @Override
    public int doWork() {
        Optional<ForecastJob> next = jobs.next();
        if (next.isEmpty()) {
            return 0;
        }
        ForecastJob job = next.get();
        try (MemoryBudget.Reservation held = memory.tryReserve(Math.min(HELD_BYTES, memory.limit() / 2))
                        .orElseThrow(() -> new IllegalStateException("there is no memory left to read topics into"));
                BackfillSource source = sources.get()) {
            jobs.report(job.id(), new ForecastJob.Done(forecasts(job, source, held.bytes() / 4)));
        } catch (RuntimeException e) {
            LOGGER.warn("Forecast {} failed", job.id(), e);
            jobs.report(job.id(), new ForecastJob.Failed(String.valueOf(e.getMessage())));
        }
        return 1;
    }

    private List<TableForecast> forecasts(ForecastJob job, BackfillSource source, long pollBytes) {
        Definitions present = definitions.get();
        Map<String, List<IndexChange>> wanted = present.diff(job.wanted()).stream()
                .filter(change -> !(change instanceof IndexChange.Drop))
                .collect(Collectors.groupingBy(change -> change.index().table()));
        List<TableForecast> forecasts = new ArrayList<>();
        for (DesiredTable table : present.tables()) {
            List<IndexChange> changes = wanted.getOrDefault(table.name(), List.of());
            if (!changes.isEmpty()) {
                forecasts.add(forecast(table, changes, sample(job, table, source, pollBytes)));
            }
        }
        return forecasts;
    }

    /**
     * Reads the topic of a table from its beginning to the end that it has now.
     *
     * @throws IllegalStateException when a partition cannot be read, or nothing has come for long
     */
    private RowSample sample(ForecastJob job, DesiredTable table, BackfillSource source, long pollBytes) {
        RowSample sample = new RowSample(table.name(), job.fraction(), MOST_BYTES);
        Map<ShardId, Long> next = new TreeMap<>();
        Map<ShardId, Long> ends = new TreeMap<>();
        for (ShardId shard : ShardId.allOf(table.definition())) {
            next.put(shard, source.startOffset(shard));
            ends.put(shard, source.endOffset(shard));
        }
        source.read(next);
        long total = left(next, ends);
        long left = total;
        Instant heard = clock.instant();
        while (left > 0) {
            source.rest(ends.keySet().stream()
                    .filter(id -> left(id, next, ends) == 0)
                    .toList());
            take(source.poll(POLL, pollBytes), next, ends, sample);
            if (left(next, ends) < left) {
                left = left(next, ends);
                heard = clock.instant();
                jobs.report(job.id(), new ForecastJob.Reading(table.name(), total - left, total));
            } else if (Duration.between(heard, clock.instant()).compareTo(SILENCE) > 0) {
                throw new IllegalStateException(
                        "expected the changes of table " + table.name() + " up to their end, but nothing came for "
                                + SILENCE.toSeconds() + " seconds, " + (total - left) + " of " + total + " passed");
            }
        }
        return sample;
    }

    private static void take(PolledBatches read, Map<ShardId, Long> next, Map<ShardId, Long> ends, RowSample sample) {
        Stream.of(read.broken(), read.failed())
                .flatMap(reasons -> reasons.entrySet().stream())
                .findFirst()
                .ifPresent(failure -> {
                    throw new IllegalStateException(
                            "expected to read partition " + failure.getKey() + ", but " + failure.getValue());
                });
        read.batches().forEach((id, batch) -> {
            long end = ends.getOrDefault(id, 0L);
            batch.records().stream()
                    .filter(record -> record.offset() < end)
                    .forEach(record -> sample.add(record.record()));
            next.merge(id, batch.nextOffset(), Math::max);
        });
    }

    private static long left(Map<ShardId, Long> next, Map<ShardId, Long> ends) {
        return ends.keySet().stream().mapToLong(id -> left(id, next, ends)).sum();
    }

    private static long left(ShardId id, Map<ShardId, Long> next, Map<ShardId, Long> ends) {
        return Math.max(0, ends.getOrDefault(id, 0L) - next.getOrDefault(id, 0L));
    }

    private TableForecast forecast(DesiredTable table, List<IndexChange> changes, RowSample sample) {
        CostBasis basis = costs.apply(table);
        List<IndexForecast> indexes = changes.stream()
                .map(change -> {
                    IndexForecaster forecaster = new IndexForecaster(table.definition(), change);
                    sample.forEach(forecaster::row);
                    return forecaster.forecast(sample.fraction(), basis);
                })
                .toList();
        return new TableForecast(
                table.name(),
                Math.round(sample.live() / sample.fraction()),
                sample.fraction(),
                sample.unreadable(),
                basis.text(),
                indexes);
    }
}
