package dev.tidemark.worker.forecast;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.runtime.Agent;

/** Computes forecasts, one request at a time and table by table. Has a reader only while it works. */
public final class ForecastAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(ForecastAgent.class);

    private final ForecastJobs jobs;
    private final Supplier<Definitions> definitions;
    private final Supplier<TopicReader> readers;
    private final Function<DesiredTable, CostBasis> costs;
    private final Clock clock;
    private @Nullable Work work;

    /**
     * A forecast in progress.
     *
     * @param tables the tables that are left to read
     * @param forecasts the forecasts of the others
     */
    private record Work(
            ForecastJob forecastJob,
            TopicReader reader,
            Deque<TableForecaster> tables,
            List<TableForecast> forecasts) {}

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
        ForecastJob forecastJob = next.get();
        try {
            Work current = work;
            if (current == null) {
                current = begin(forecastJob);
                work = current;
            }
            step(current);
        } catch (RuntimeException e) {
            LOGGER.warn("Rehearsal {} is given up", forecastJob.id(), e);
            end(forecastJob, new ForecastJob.Failed(String.valueOf(e.getMessage())));
        }
        return 1;
    }

    @Override
    public void onClose() {
        closeReader();
    }

    private Work begin(ForecastJob forecastJob) {
        Definitions present = definitions.get();
        List<IndexChange> changes = present.diff(forecastJob.wanted());
        TopicReader reader = readers.get();
        Deque<TableForecaster> tables = new ArrayDeque<>();
        for (DesiredTable table : present.tables()) {
            List<IndexChange> wanted = changes.stream()
                    .filter(change -> !(change instanceof IndexChange.Drop))
                    .filter(change -> change.index().table().equals(table.name()))
                    .toList();
            if (!wanted.isEmpty()) {
                tables.add(new TableForecaster(table, wanted, forecastJob.fraction(), reader, clock));
            }
        }
        return new Work(forecastJob, reader, tables, new ArrayList<>());
    }

    private void step(Work current) throws InterruptedException {
        TableForecaster table = current.tables().peek();
        if (table == null) {
            end(current.forecastJob(), new ForecastJob.Done(current.forecasts()));
            return;
        }
        table.step();
        jobs.tell(current.forecastJob().id(), table.state());
        if (table.isRead()) {
            current.forecasts().add(table.forecast(costs));
            current.tables().remove();
        }
    }

    private void end(ForecastJob forecastJob, ForecastJob.State state) {
        closeReader();
        jobs.tell(forecastJob.id(), state);
    }

    private void closeReader() {
        Work last = work;
        work = null;
        if (last != null) {
            last.reader().close();
        }
    }
}
