package dev.tidemark.worker.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TablePlan;
import dev.tidemark.worker.verify.VerifyTotals;

/** Shows what comparisons of indexes with their tables came to. */
public final class VerifyMeters {
    private final Supplier<Definitions> definitions;
    private final VerifyTotals totals;
    private final MultiGauge divergence;
    private List<String> shown = List.of();

    public VerifyMeters(MeterRegistry registry, Supplier<Definitions> definitions, VerifyTotals totals) {
        this.definitions = definitions;
        this.totals = totals;
        this.divergence = MultiGauge.builder("tidemark.index.divergence")
                .description("Entries that the last comparison with the table found wrong; NaN before the first.")
                .register(registry);
        FunctionCounter.builder("tidemark.verify.rows", totals, VerifyTotals::rows)
                .description("Rows of tables that were compared with their indexes.")
                .register(registry);
        FunctionCounter.builder("tidemark.repairs", totals, VerifyTotals::repaired)
                .description("Rows whose index entries were put right.")
                .register(registry);
    }

    /** Brings the series in line with the indexes that there are. Before each scrape. */
    public synchronized void refresh() {
        List<String> names = new ArrayList<>();
        List<Row<?>> rows = new ArrayList<>();
        for (TablePlan table : definitions.get().tables()) {
            table.indexes().stream().map(index -> index.current()).forEach(current -> {
                names.add(current.definition().qualifiedName());
                rows.add(row(table.name(), current));
            });
        }
        if (!names.equals(shown)) {
            shown = names;
            divergence.register(rows, true);
        }
    }

    private Row<?> row(String table, Generation current) {
        String name = current.definition().qualifiedName();
        Supplier<Number> value = () -> {
            OptionalLong found = totals.divergence(name);
            return found.isPresent() ? found.getAsLong() : Double.NaN;
        };
        return Row.of(Tags.of("table", table, "index", current.definition().name()), value);
    }
}
