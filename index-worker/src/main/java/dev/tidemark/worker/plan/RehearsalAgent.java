package dev.tidemark.worker.plan;

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
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.TablePlan;
import dev.tidemark.runtime.Agent;

/** Works on rehearsals, one at a time and table by table. Has a reader only while it works. */
public final class RehearsalAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(RehearsalAgent.class);

    private final RehearsalDesk desk;
    private final Supplier<Definitions> definitions;
    private final Supplier<TopicReader> readers;
    private final Function<TablePlan, CostBasis> costs;
    private final Clock clock;
    private @Nullable Work work;

    /** A rehearsal under way. */
    private static final class Work {
        final Rehearsal rehearsal;
        final TopicReader reader;
        final Deque<TablePlan> tables = new ArrayDeque<>();
        final List<IndexChange> changes;
        final List<TableForecast> forecasts = new ArrayList<>();

        @Nullable
        TableReading reading;

        Work(Rehearsal rehearsal, TopicReader reader, Definitions present) {
            this.rehearsal = rehearsal;
            this.reader = reader;
            this.changes = present.diff(rehearsal.wanted()).stream()
                    .filter(change -> !(change instanceof IndexChange.Drop))
                    .toList();
            present.tables().stream().filter(table -> !of(table).isEmpty()).forEach(tables::add);
        }

        List<IndexChange> of(TablePlan table) {
            return changes.stream()
                    .filter(change -> change.index().table().equals(table.name()))
                    .toList();
        }
    }

    /**
     * An agent for the requests at that desk.
     *
     * @param definitions those in force
     * @param costs what times of a table are forecast from
     */
    public RehearsalAgent(
            RehearsalDesk desk,
            Supplier<Definitions> definitions,
            Supplier<TopicReader> readers,
            Function<TablePlan, CostBasis> costs,
            Clock clock) {
        this.desk = desk;
        this.definitions = definitions;
        this.readers = readers;
        this.costs = costs;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "plan";
    }

    @Override
    public int doWork() throws InterruptedException {
        Optional<Rehearsal> next = desk.next();
        if (next.isEmpty()) {
            return 0;
        }
        Rehearsal rehearsal = next.get();
        try {
            Work current = work;
            if (current == null) {
                current = new Work(rehearsal, readers.get(), definitions.get());
                work = current;
            }
            step(current);
        } catch (RuntimeException e) {
            LOGGER.warn("Rehearsal {} is given up", rehearsal.id(), e);
            end(rehearsal, new Rehearsal.Failed(String.valueOf(e.getMessage())));
        }
        return 1;
    }

    @Override
    public void onClose() {
        closeReader();
    }

    private void step(Work current) throws InterruptedException {
        TablePlan table = current.tables.peek();
        if (table == null) {
            end(current.rehearsal, new Rehearsal.Done(current.forecasts));
            return;
        }
        TableReading reading = current.reading;
        if (reading == null) {
            reading = new TableReading(
                    table.definition(), current.of(table), current.rehearsal.fraction(), current.reader, clock);
            current.reading = reading;
        }
        reading.step();
        desk.tell(current.rehearsal.id(), reading.state());
        if (reading.isRead()) {
            current.forecasts.add(reading.forecast(costs.apply(table)));
            current.tables.remove();
            current.reading = null;
        }
    }

    private void end(Rehearsal rehearsal, Rehearsal.State state) {
        closeReader();
        desk.tell(rehearsal.id(), state);
    }

    private void closeReader() {
        Work last = work;
        work = null;
        if (last != null) {
            last.reader.close();
        }
    }
}
