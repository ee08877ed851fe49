package dev.tidemark.source.feed;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the stream of a database brings. Tables have the names of the database, such as {@code public.customers}. */
public sealed interface SourceEvent {
    /** Where it is in the stream; empty in a snapshot. */
    Optional<Place> place();

    /**
     * Where an event is in the stream, as the database says.
     *
     * @param base end of the last commit that the engine has seen; empty before its first
     * @param lsn of the event
     * @param offset where an engine can begin that has to see this event; empty where the base says it
     */
    record Place(Optional<Long> base, long lsn, String offset) {}

    /**
     * A row that is there.
     *
     * @param row all columns but those in {@code keep}
     * @param keep columns that the database has not sent, because they did not change
     * @param before columns of the row before that came along; empty for a row of a snapshot, or a new one
     */
    record Put(Optional<Place> place, String table, ObjectNode row, List<String> keep, Optional<ObjectNode> before)
            implements SourceEvent {
        public Put {
            keep = List.copyOf(keep);
        }
    }

    /**
     * A row that is gone.
     *
     * @param row what is known of it: its replica identity
     * @param moved whether the row gets another key, with the next event
     */
    record Delete(Optional<Place> place, String table, ObjectNode row, boolean moved) implements SourceEvent {}

    /** All rows of a table are gone. */
    record Truncate(Optional<Place> place, String table) implements SourceEvent {}

    /** A message that {@link MarkerAgent} has put into the stream. */
    record Marker(Optional<Place> place, String content) implements SourceEvent {}

    /**
     * The columns of a table changed, or all its rows.
     *
     * @param reload why changes alone no longer lead to the rows of the table; empty where they may
     */
    record Alteration(Optional<Place> place, Optional<String> reload) implements SourceEvent {}

    /** Something that concerns no row. */
    record Other(Optional<Place> place) implements SourceEvent {}
}
