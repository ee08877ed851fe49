package dev.tidemark.writer.commit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;

/**
 * The rules of every table by the definitions in force, by name and in the order of the catalog: what an index cannot
 * hold is refused from the moment on in which the index is wanted. For any thread.
 */
public final class CatalogRules implements Supplier<Map<String, RowRules>> {
    private final Supplier<Catalog> catalog;
    private final Supplier<Definitions> definitions;
    private final int maxRowBytes;

    /** Made when it is needed: the definitions may be in a database that is away. */
    private volatile @Nullable Made made;

    private record Made(Catalog from, Map<String, RowRules> rules) {
        boolean isOf(Catalog now) {
            // Compared by identity, because every request asks.
            return from == now;
        }
    }

    /**
     * Rules.
     *
     * @param catalog gives the tables in force, any time; the same object until something changes
     * @param definitions gives the definitions in force, any time, for their generations; never older than the catalog
     *     that was given before
     * @param maxRowBytes most bytes of a row as compact JSON
     */
    public CatalogRules(Supplier<Catalog> catalog, Supplier<Definitions> definitions, int maxRowBytes) {
        this.catalog = catalog;
        this.definitions = definitions;
        this.maxRowBytes = maxRowBytes;
    }

    @Override
    public Map<String, RowRules> get() {
        Catalog now = catalog.get();
        Made known = made;
        if (known == null || !known.isOf(now)) {
            known = make(now);
            made = known;
        }
        return known.rules();
    }

    private Made make(Catalog from) {
        Map<String, RowRules> rules = new LinkedHashMap<>();
        Definitions numbered = definitions.get();
        for (TableDefinition table : from.tables()) {
            long sourceSince =
                    numbered.table(table.name()).map(DesiredTable::sourceSince).orElse(0L);
            rules.put(table.name(), new RowRules(table, numbered.generations(table.name()), maxRowBytes, sourceSince));
        }
        return new Made(from, Collections.unmodifiableMap(rules));
    }
}
