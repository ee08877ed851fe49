package dev.tidemark.deploy.e2e.guarantee;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.oracle.ExpectedEntries;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.index.IndexDefinition;

/**
 * When lag is zero and nobody writes, every index of a table holds exactly what the rows of the fact table call for:
 * nothing missing, extra, twice, in wrong order or wrongly covered, and each entry with the version of its row.
 */
public final class IndexesEqualFacts {
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
            complaints.addAll(ExpectedEntries.differences(index.qualifiedName(), expected, found));
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
}
