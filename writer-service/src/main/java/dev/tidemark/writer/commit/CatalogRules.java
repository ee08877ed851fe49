package dev.tidemark.writer.commit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.tidemark.catalog.Definitions;

/**
 * The rules of every table by the definitions in force, by name and in the order of the catalog: what an index cannot hold
 * is refused from the moment on in which the index is wanted. For any thread.
 */
public final class CatalogRules implements Supplier<Map<String, RowRules>> {
    private final Supplier<Definitions> definitions;
    private final int maxRowBytes;
    private volatile Made made;

    private record Made(long version, Map<String, RowRules> rules) {}

    /**
     * Rules.
     *
     * @param definitions gives those in force, any time
     * @param maxRowBytes most bytes of a row as compact JSON
     */
    public CatalogRules(Supplier<Definitions> definitions, int maxRowBytes) {
        this.definitions = definitions;
        this.maxRowBytes = maxRowBytes;
        this.made = make(definitions.get());
    }

    @Override
    public Map<String, RowRules> get() {
        Definitions now = definitions.get();
        Made known = made;
        if (known.version() != now.version()) {
            known = make(now);
            made = known;
        }
        return known.rules();
    }

    private Made make(Definitions from) {
        Map<String, RowRules> rules = new LinkedHashMap<>();
        from.catalog().tables().forEach(table -> rules.put(table.name(), new RowRules(table, maxRowBytes)));
        return new Made(from.version(), Collections.unmodifiableMap(rules));
    }
}
