package dev.tidemark.source.feed;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How to begin: with the changes after a position, or with a snapshot.
 *
 * @param snapshot why the tables are read first; empty to follow changes
 * @param gap whether changes are lost, so that a person may want to know before the tables are read
 */
record Start(Optional<String> snapshot, boolean gap) {
    private static final Start FOLLOW = new Start(Optional.empty(), false);

    /**
     * Decides.
     *
     * @param position empty before the first batch
     * @param slot empty when there is none
     */
    static Start decide(
            Optional<Position> position, Writer.State state, Position.Identity identity, Optional<Database.Slot> slot) {
        if (position.isEmpty()) {
            return snapshot("no rows were read so far");
        }
        Position from = position.get();
        if (from.snapshot().isPresent()) {
            return snapshot("the last snapshot did not end");
        }
        Optional<String> gap = gap(from, identity, slot);
        if (gap.isPresent()) {
            return new Start(gap, true);
        }
        return unread(from, state)
                .map(tables -> snapshot("these tables are new: " + tables))
                .orElse(FOLLOW);
    }

    private static Start snapshot(String why) {
        return new Start(Optional.of(why), false);
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
            return Optional.of("the replication slot was created again, or moved by another reader");
        }
        return Optional.empty();
    }

    /** Names of the tables whose rows were not read. */
    private static Optional<String> unread(Position from, Writer.State state) {
        String names = state.tables().stream()
                .filter(table -> !table.source().equals(from.tables().get(table.table()))
                        || (state.watermark().isPresent() && !table.covered()))
                .map(Writer.Followed::source)
                .collect(Collectors.joining(", "));
        return Optional.of(names).filter(text -> !text.isEmpty());
    }

    /** The tables of a source, by name of the fact table. */
    static Map<String, String> names(Writer.State state) {
        return state.tables().stream().collect(Collectors.toMap(Writer.Followed::table, Writer.Followed::source));
    }
}
