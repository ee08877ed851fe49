package dev.tidemark.source.feed;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How to begin: with the changes after a position, or with a snapshot.
 *
 * @param snapshot which tables are read first
 * @param why they are; empty to follow changes
 * @param gap whether changes are lost, so that a person may want to know before the tables are read
 */
record Start(Engine.Snapshot snapshot, String why, boolean gap) {
    /** Changes are followed. */
    static final Start FOLLOW = new Start(new Engine.Snapshot.None(), "", false);

    /** All tables are read first. */
    static Start whole(String why) {
        return new Start(new Engine.Snapshot.Whole(), why, false);
    }

    /** The same, because changes are lost. */
    static Start lost(String why) {
        return new Start(new Engine.Snapshot.Whole(), why, true);
    }

    /**
     * Decides.
     *
     * @param position empty before the first batch
     * @param slot empty when there is none
     */
    static Start decide(
            Optional<Position> position, Writer.State state, Position.Identity identity, Optional<Database.Slot> slot) {
        if (position.isEmpty()) {
            return whole("no rows were read so far");
        }
        Position from = position.get();
        if (from.isFirstSnapshot()) {
            return whole("the last snapshot did not end");
        }
        if (from.order().equals(EventOrder.START) && from.offset().isEmpty()) {
            // It does not say where the snapshot was, so a slot that was created again could not be noticed.
            return whole("no change was followed since the last snapshot");
        }
        Optional<String> gap = gap(from, identity, slot);
        if (gap.isPresent()) {
            return lost(gap.get());
        }
        Map<String, String> read = read(from, state);
        Set<String> unread = state.tables().stream()
                .filter(table -> !read.containsKey(table.table()))
                .map(Writer.Followed::source)
                .collect(Collectors.toCollection(TreeSet::new));
        if (unread.isEmpty()) {
            return FOLLOW;
        }
        String why = "these tables are new: " + String.join(", ", unread);
        boolean streams = !read.isEmpty() && !from.order().equals(EventOrder.START);
        return streams ? new Start(new Engine.Snapshot.Added(unread), why, false) : whole(why);
    }

    /** Why rows cannot have, or be followed by, the primary keys that the catalog says; empty where they can. */
    static Optional<String> refusal(Writer.State state, Columns columns) {
        return generated(state, columns).or(() -> unsent(state, columns));
    }

    private static Optional<String> unsent(Writer.State state, Columns columns) {
        return state.tables().stream()
                .filter(table ->
                        !columns.unsent(table.source(), table.primaryKey()).isEmpty())
                .map(table -> "updates and deletes of " + table.source() + " do not send "
                        + String.join(", ", columns.unsent(table.source(), table.primaryKey()))
                        + " of the primary key in the catalog, or its constraint is deferrable;"
                        + " tidemark source check prints the SQL that mends it")
                .findFirst();
    }

    private static Optional<String> generated(Writer.State state, Columns columns) {
        Map<String, Set<String>> generated = columns.generated();
        return state.tables().stream()
                .filter(table -> table.primaryKey().stream()
                        .anyMatch(generated.getOrDefault(table.source(), Set.of())::contains))
                .map(table -> "the primary key of " + table.source()
                        + " in the catalog has columns that are generated, which the database does not send: "
                        + String.join(", ", generated.getOrDefault(table.source(), Set.of())))
                .findFirst();
    }

    /** The tables whose rows were read, by name of the fact table. */
    static Map<String, String> read(Position from, Writer.State state) {
        return state.tables().stream()
                .filter(table -> table.source().equals(from.tables().get(table.table()))
                        && (state.watermark().isEmpty() || table.covered()))
                .collect(Collectors.toMap(Writer.Followed::table, Writer.Followed::source));
    }

    private static Optional<String> gap(Position from, Position.Identity now, Optional<Database.Slot> slot) {
        if (!from.identity().system().equals(now.system())) {
            return Optional.of("this is another database cluster: its system identifier is " + now.system()
                    + ", and rows came from " + from.identity().system());
        }
        if (from.identity().timeline() != now.timeline()) {
            return Optional.of("the database is on timeline " + now.timeline() + ", and rows came from timeline "
                    + from.identity().timeline() + "; a standby or a restored copy has taken over");
        }
        if (slot.isEmpty()) {
            return Optional.of("the replication slot is gone");
        }
        if (slot.get().lost()) {
            return Optional.of("the database has removed changes that the replication slot had to keep");
        }
        if (Long.compareUnsigned(
                        slot.get().confirmed(),
                        Math.max(from.order().base(), from.order().lsn()))
                > 0) {
            return Optional.of("the replication slot was created again, or moved by another reader, or the fact"
                    + " tables were put back");
        }
        return Optional.empty();
    }
}
