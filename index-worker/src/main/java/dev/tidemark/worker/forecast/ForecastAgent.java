package dev.tidemark.worker.forecast;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.runtime.Agent;

/** Computes forecasts, one request at a time and table by table. Has a reader only while it works. */
public final class ForecastAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(ForecastAgent.class);

    /** Most memory that sampled rows take. */
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final ForecastJobs jobs;
    private final Supplier<Definitions> definitions;
    private final Supplier<TopicReader> readers;
    private final Function<DesiredTable, CostBasis> costs;
    private final Clock clock;

    /**
     * An agent for the requests of {@code jobs}.
     *
     * @param definitions the definitions in force
     * @param costs the basis of a table's forecast times
     */
    public ForecastAgent(
            ForecastJobs jobs,
            Supplier<Definitions> definitions,
            Supplier<TopicReader> readers,
            Function<DesiredTable, CostBasis> costs,
            Clock clock) {
        this.jobs = jobs;
        this.definitions = definitions;
        this.readers = readers;
        this.costs = costs;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "forecast";
    }

    @Override
    public int doWork() throws InterruptedException {
        Optional<ForecastJob> next = jobs.next();
        if (next.isEmpty()) {
            return 0;
        }
        ForecastJob job = next.get();
        try (TopicReader reader = readers.get()) {
            jobs.report(job.id(), new ForecastJob.Done(forecasts(job, reader)));
        } catch (RuntimeException e) {
            LOGGER.warn("Forecast {} failed", job.id(), e);
            jobs.report(job.id(), new ForecastJob.Failed(String.valueOf(e.getMessage())));
        }
        return 1;
    }

    private List<TableForecast> forecasts(ForecastJob job, TopicReader reader) throws InterruptedException {
        Definitions present = definitions.get();
        Map<String, List<IndexChange>> wanted = present.diff(job.wanted()).stream()
                .filter(change -> !(change instanceof IndexChange.Drop))
                .collect(Collectors.groupingBy(change -> change.index().table()));
        List<TableForecast> forecasts = new ArrayList<>();
        for (DesiredTable table : present.tables()) {
            List<IndexChange> changes = wanted.getOrDefault(table.name(), List.of());
            if (!changes.isEmpty()) {
                forecasts.add(forecast(table, changes, sample(job, table, reader)));
            }
        }
        return forecasts;
    }

    /**
     * Reads the topic of a table from its beginning to the end that it has now.
     *
     * @throws IllegalStateException when nothing has come for long
     */
    private RowSample sample(ForecastJob job, DesiredTable table, TopicReader reader) throws InterruptedException {
        RowSample sample = new RowSample(table.name(), job.fraction(), MOST_BYTES);
        long total = reader.begin(table.name(), table.definition().partitions());
        long passed = 0;
        Instant heard = clock.instant();
        while (passed < total) {
            TopicReader.Piece piece = reader.poll(POLL);
            piece.records().forEach(sample::add);
            if (piece.position() > passed) {
                passed = piece.position();
                heard = clock.instant();
                jobs.report(job.id(), new ForecastJob.Reading(table.name(), passed, total));
            } else if (Duration.between(heard, clock.instant()).compareTo(SILENCE) > 0) {
                throw new IllegalStateException(
                        "expected the changes of table " + table.name() + " up to their end, but nothing came for "
                                + SILENCE.toSeconds() + " seconds, " + passed + " of " + total + " passed");
            }
        }
        return sample;
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
