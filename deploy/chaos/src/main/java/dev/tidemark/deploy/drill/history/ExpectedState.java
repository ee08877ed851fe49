package dev.tidemark.deploy.drill.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.oracle.Canonical;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.oracle.RowTimeline;

/** What every row can be, by what its client was told. */
public final class ExpectedState {
    private final Map<String, Map<String, Entry>> tables = new ConcurrentHashMap<>();

    private volatile @Nullable PutBack unsettled;

    /** All tables went back to a copy. */
    private record PutBack(Instant copied, Instant at, boolean seen) {
        boolean of(RowTimeline timeline) {
            return timeline.putBack(copied, at, seen);
        }
    }

    /** A row that somebody wrote or tried to. */
    public record Entry(RowKey key, RowTimeline timeline) {}

    /** The timeline of a row. */
    public RowTimeline of(String table, RowKey key) {
        return rows(table)
                .computeIfAbsent(key.toString(), text -> new Entry(key, begun(text)))
                .timeline();
    }

    private RowTimeline begun(String key) {
        RowTimeline timeline = new RowTimeline(key);
        PutBack since = unsettled;
        if (since != null) {
            since.of(timeline);
        }
        return timeline;
    }

    /** All rows of a table that anybody tried to write. */
    public List<Entry> all(String table) {
        return List.copyOf(rows(table).values());
    }

    /**
     * All tables go back to a copy, as {@link RowTimeline#putBack} tells of a row.
     *
     * @return how many rows have lost an acknowledged write
     */
    public long putBack(Instant copied, Instant at, boolean seen) {
        PutBack now = new PutBack(copied, at, seen);
        unsettled = now;
        return timelines().filter(now::of).count();
    }

    /** Whatever went back, everybody has come to know by now. */
    public void settled(Instant at) {
        timelines().forEach(timeline -> timeline.settled(at));
        unsettled = null;
    }

    /** Whether tables went back, and somebody may not have come to know. */
    public boolean isUnsettled() {
        return unsettled != null;
    }

    private Stream<RowTimeline> timelines() {
        return tables.values().stream().flatMap(rows -> rows.values().stream()).map(Entry::timeline);
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
