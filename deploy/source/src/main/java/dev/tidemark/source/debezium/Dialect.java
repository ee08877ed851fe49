package dev.tidemark.source.debezium;

import java.util.List;
import java.util.Optional;
import java.util.Properties;

import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

import dev.tidemark.source.feed.Engine;
import dev.tidemark.source.feed.SourceEvent;
import dev.tidemark.source.feed.SourceEvent.Place;

/** What one connector of Debezium does in its own way. */
public interface Dialect {
    /** Settings of the engine for one run. */
    Properties forRun(Engine.Plan plan);

    /** The name of a table as the catalog has it. */
    String table(Struct source);

    /** Where an event of the stream is. */
    Place place(SourceRecord record, Struct source);

    /** The event of a record of the stream that is about no row of the tables that are followed. */
    Optional<SourceEvent> special(Struct value, Optional<Place> place);

    /**
     * What to go on with at a record, in order. Events may be held back until their transaction has ended.
     *
     * @param event of the record
     */
    default List<SourceEvent> settled(Struct value, Optional<SourceEvent> event) {
        return event.stream().toList();
    }
}
