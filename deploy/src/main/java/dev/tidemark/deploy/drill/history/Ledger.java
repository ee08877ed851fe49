package dev.tidemark.deploy.drill.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.tidemark.deploy.oracle.Canonical;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.oracle.RowTimeline;

/** What every row can be, by what its client was told. */
public final class Ledger {
    private final Map<String, Map<String, Entry>> tables = new ConcurrentHashMap<>();

    /** A row that somebody wrote or tried to. */
    public record Entry(RowKey key, RowTimeline timeline) {}

    /** The timeline of a row. */
    public RowTimeline of(String table, RowKey key) {
        return rows(table)
                .computeIfAbsent(key.toString(), text -> new Entry(key, new RowTimeline(text)))
                .timeline();
    }

    /** All rows of a table that anybody tried to write. */
    public List<Entry> all(String table) {
        return List.copyOf(rows(table).values());
    }

    /** What is wrong with a table, read while nobody writes; empty when nothing is. */
    public List<String> complaintsAbout(String table, List<Fact> facts) {
        Map<String, Fact> byKey =
                facts.stream().collect(Collectors.toMap(fact -> Canonical.text(fact.key()), fact -> fact));
        List<String> complaints = new ArrayList<>();
        rows(table)
                .forEach((key, entry) -> entry.timeline().complaintsAbout(byKey.get(key)).stream()
                        .map(complaint -> table + " " + complaint)
                        .forEach(complaints::add));
        byKey.keySet().stream()
                .filter(key -> !rows(table).containsKey(key))
                .forEach(key -> complaints.add(table + " " + key + ": is there, but nobody wrote it"));
        return complaints;
    }

    private Map<String, Entry> rows(String table) {
        return tables.computeIfAbsent(table, name -> new ConcurrentHashMap<>());
    }
}
