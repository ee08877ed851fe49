package dev.tidemark.worker.forecast;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.DefinitionText;
import dev.tidemark.index.IndexDefinition;

/**
 * The newest forecast of each definition, kept for comparison with the real build. The oldest forecast is dropped when
 * there are more than {@value #MOST}, or when the forecasts name too many bytes of keys. Not thread-safe: the caller
 * synchronizes.
 */
public final class Forecasts {
    static final int MOST = 256;

    /** Bytes of the keys that all of them name. */
    static final long MOST_BYTES = 4L << 20;

    private final Map<String, Kept> byDefinition = new LinkedHashMap<>();

    /**
     * A forecast and its basis.
     *
     * @param table the forecast of its table
     */
    public record Kept(TableForecast table, IndexForecast index) {}

    /** Keeps the forecasts of a request. */
    void keep(List<TableForecast> tables) {
        for (TableForecast table : tables) {
            for (IndexForecast index : table.indexes()) {
                String key = key(index.change().index());
                // Insertion order: the newest forecast is last, and the first one is dropped first.
                byDefinition.remove(key);
                byDefinition.put(key, new Kept(table, index));
            }
        }
        while (byDefinition.size() > 1 && (byDefinition.size() > MOST || bytes() > MOST_BYTES)) {
            byDefinition.remove(byDefinition.keySet().iterator().next());
        }
    }

    private long bytes() {
        return byDefinition.values().stream()
                .map(Kept::table)
                .distinct()
                .mapToLong(TableForecast::bytes)
                .sum();
    }

    Optional<Kept> find(IndexDefinition index) {
        return Optional.ofNullable(byDefinition.get(key(index)));
    }

    private static String key(IndexDefinition index) {
        return index.qualifiedName() + " " + DefinitionText.of(index);
    }
}
