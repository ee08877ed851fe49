package dev.tidemark.deploy.drill;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.oracle.Canonical;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.oracle.RowTimeline;
import dev.tidemark.row.RowJson;

/** The states that every row can have, according to the answers to its client. */
public final class ExpectedState {
    private final Map<String, Map<String, Entry>> tables = new ConcurrentHashMap<>();

    /** Puts a row back to a copy, where all tables went back to it. */
    private volatile @Nullable Consumer<RowTimeline> unsettled;

    private volatile boolean recommitted;

    /** A row that a client wrote or tried to write. */
    public record Entry(RowKey key, RowTimeline timeline) {}

    /** The timeline of a row. */
    public RowTimeline of(String table, RowKey key) {
        return rows(table)
                .computeIfAbsent(key.toString(), text -> new Entry(key, begun(text)))
                .timeline();
    }

    private RowTimeline begun(String key) {
        RowTimeline timeline = new RowTimeline(key);
        Consumer<RowTimeline> since = unsettled;
        if (since != null) {
            since.accept(timeline);
        }
        if (recommitted) {
            timeline.mayBeRecommitted(Instant.MIN);
        }
        return timeline;
    }

    /** Returns all rows of a table that a client tried to write. */
    public List<Entry> all(String table) {
        return List.copyOf(rows(table).values());
    }

    /**
     * Records that all tables went back to a copy, with {@link RowTimeline#putBack} for every row.
     *
     * @return how many rows have lost an acknowledged write
     */
    public long putBack(Instant copied, Instant at, boolean seen) {
        unsettled = timeline -> timeline.putBack(copied, at, seen);
        return timelines()
                .filter(timeline -> timeline.putBack(copied, at, seen))
                .count();
    }

    /** From a time on until all is settled, the writer may commit any row once more as it is. */
    public void mayBeRecommitted(Instant from) {
        recommitted = true;
        timelines().forEach(timeline -> timeline.mayBeRecommitted(from));
    }

    /** Records that all services are consistent again. */
    public void settled(Instant at) {
        recommitted = false;
        timelines().forEach(timeline -> timeline.settled(at));
        unsettled = null;
    }

    /** Whether tables went back, and the services may not be consistent again. */
    public boolean isUnsettled() {
        return unsettled != null;
    }

    private Stream<RowTimeline> timelines() {
        return tables.values().stream().flatMap(rows -> rows.values().stream()).map(Entry::timeline);
    }

    /**
     * Returns what is wrong with a table that was read while no client writes; empty when nothing is. Each row with
     * which nothing is wrong is known to be as it was read, from now on.
     */
    public List<String> complaintsAbout(String table, List<Fact> facts) {
        Map<String, Fact> byKey =
                facts.stream().collect(Collectors.toMap(fact -> Canonical.text(fact.key()), fact -> fact));
        List<String> complaints = new ArrayList<>();
        rows(table).forEach((key, entry) -> {
            List<String> found = entry.timeline().complaintsAbout(byKey.get(key));
            found.forEach(complaint -> complaints.add(table + " " + complaint));
            if (found.isEmpty()) {
                entry.timeline().found(byKey.get(key));
            }
        });
        byKey.keySet().stream()
                .filter(key -> !rows(table).containsKey(key))
                .forEach(key -> complaints.add(table + " " + key + ": is there, but nobody wrote it"));
        return complaints;
    }

    private Map<String, Entry> rows(String table) {
        return tables.computeIfAbsent(table, name -> new ConcurrentHashMap<>());
    }

    /** A primary key of one or more texts. */
    public record RowKey(List<String> parts) {
        /** As answers show it: the value, or the list of values. */
        public JsonNode json() {
            if (parts.size() == 1) {
                return TextNode.valueOf(parts.get(0));
            }
            ArrayNode list = RowJson.mapper().createArrayNode();
            parts.forEach(list::add);
            return list;
        }

        @Override
        public String toString() {
            return Canonical.text(json());
        }
    }
}
