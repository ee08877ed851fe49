package dev.tidemark.deploy.e2e.guarantee;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.e2e.http.Fact;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.index.IndexDefinition;

/**
 * When lag is zero and nobody writes, every index of a table holds exactly what the rows of the fact table call for:
 * nothing missing, extra, twice, in wrong order or wrongly covered, and each entry with the version of its row.
 */
public final class IndexesEqualFacts {
    private static final int SHOWN = 5;

    private final Facts facts;
    private final Indexes indexes;

    public IndexesEqualFacts(Facts facts, Indexes indexes) {
        this.facts = facts;
        this.indexes = indexes;
    }

    /** Compares every index of the table. Answers the rows, for more to be checked of them. */
    public List<Fact> check(TableDefinition table) throws IOException, InterruptedException {
        List<Fact> rows = facts.scan(table.name());
        List<String> complaints = new ArrayList<>();
        for (IndexDefinition index : table.indexes()) {
            List<String> expected = ExpectedEntries.of(table, index, rows);
            List<String> found = indexes.entries(index.qualifiedName()).stream()
                    .map(ExpectedEntries::textOf)
                    .toList();
            compare(index.qualifiedName(), expected, found, complaints);
            long told =
                    indexes.describe(table.name(), index.name()).path("entries").asLong(-1);
            if (told != expected.size()) {
                complaints.add(index.qualifiedName() + " says that it has " + told + " entries, but has to have "
                        + expected.size());
            }
        }
        if (!complaints.isEmpty()) {
            throw new AssertionError(
                    rows.size() + " rows and their indexes disagree:\n  " + String.join("\n  ", complaints));
        }
        return rows;
    }

    /** Adds what is wrong with the entries found; nothing when they are the expected ones in the expected order. */
    static void compare(String index, List<String> expected, List<String> found, List<String> complaints) {
        if (expected.equals(found)) {
            return;
        }
        Map<String, Integer> balance = new HashMap<>();
        expected.forEach(entry -> balance.merge(entry, 1, Integer::sum));
        found.forEach(entry -> balance.merge(entry, -1, Integer::sum));
        balance.values().removeIf(count -> count == 0);
        complaints.add(index + ": " + found.size() + " entries instead of " + expected.size());
        balance.forEach((entry, count) -> {
            if (complaints.size() < SHOWN * SHOWN) {
                complaints.add(index + (count > 0 ? " lacks " : " has too many of ") + entry);
            }
        });
        for (int i = 0; balance.isEmpty() && i < expected.size(); i++) {
            if (!expected.get(i).equals(found.get(i))) {
                complaints.add(index + " is out of order at " + i + ": " + found.get(i) + " stands where "
                        + expected.get(i) + " should");
                return;
            }
        }
    }
}
