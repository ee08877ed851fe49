package dev.tidemark.worker.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.generation.LifecycleStates;
import dev.tidemark.worker.verify.VerifyTotals;

/** Shows what comparisons of indexes with their tables came to. */
public final class VerifyMeters {
    private final Supplier<Definitions> definitions;
    private final VerifyTotals totals;
    private final LifecycleStates lifecycleStates;
    private final MultiGauge divergence;
    private final MultiGauge equal;
    private List<String> shown = List.of();

    public VerifyMeters(
            MeterRegistry registry,
            Supplier<Definitions> definitions,
            LifecycleStates lifecycleStates,
            VerifyTotals totals) {
        this.definitions = definitions;
        this.lifecycleStates = lifecycleStates;
        this.totals = totals;
        this.equal = MultiGauge.builder("tidemark.index.digest.equal")
                .description("1 when the digests of index and table were equal at the last mark, 0 when they differ for"
                        + " longer than one mark, NaN while that is not known.")
                .register(registry);
        this.divergence = MultiGauge.builder("tidemark.index.divergence")
                .description(
                        "Entries that the last comparison with the table found wrong, and at least 1 while the digests differ;"
                                + " NaN before the first.")
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
        List<Row<?>> equals = new ArrayList<>();
        for (DesiredTable table : definitions.get().tables()) {
            table.indexes().stream().map(index -> index.current()).forEach(current -> {
                names.add(current.definition().qualifiedName() + " " + current.id());
                rows.add(row(table, current, () -> divergence(table, current)));
                equals.add(row(table, current, () -> equal(table, current)));
            });
        }
        if (!names.equals(shown)) {
            shown = names;
            divergence.register(rows, true);
            equal.register(equals, true);
        }
    }

    private static Row<?> row(DesiredTable table, Generation current, Supplier<Number> value) {
        return Row.of(
                Tags.of("table", table.name(), "index", current.definition().name()), value);
    }

    private double divergence(DesiredTable table, Generation current) {
        OptionalLong found = totals.divergence(current.definition().qualifiedName());
        boolean differs =
                lifecycleStates.equality(table.definition(), current).equal().equals(Optional.of(false));
        double counted = found.isPresent() ? found.getAsLong() : Double.NaN;
        // A comparison of rows may be to come, or be too long ago.
        return differs ? Math.max(1, found.orElse(1)) : counted;
    }

    private double equal(DesiredTable table, Generation current) {
        return lifecycleStates
                .equality(table.definition(), current)
                .equal()
                .map(equality -> equality ? 1.0 : 0.0)
                .orElse(Double.NaN);
    }
}
