package dev.tidemark.writer.commit;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.tidemark.catalog.DerivedTable;

/** The rules that changes are planned by, and the derived tables that these place them in. For the committer alone. */
final class RulesInForce {
    private final Supplier<Map<String, RowRules>> rules;
    private Map<String, RowRules> last = Map.of();
    private volatile Set<DerivedTable> placedIn = Set.of();

    RulesInForce(Supplier<Map<String, RowRules>> rules) {
        this.rules = rules;
    }

    /** The rules as they are now, by the name of the table; every later change is planned by these or newer ones. */
    Map<String, RowRules> follow() {
        Map<String, RowRules> now = rules.get();
        if (!now.equals(last)) {
            last = now;
            placedIn = now.values().stream()
                    .flatMap(table -> table.placements().homes().stream())
                    .collect(Collectors.toUnmodifiableSet());
        }
        return now;
    }

    /** The derived tables that changes are placed in from now on; for any thread. */
    Set<DerivedTable> placedIn() {
        return placedIn;
    }
}
