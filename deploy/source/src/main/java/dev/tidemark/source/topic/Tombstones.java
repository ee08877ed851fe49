package dev.tidemark.source.topic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.source.feed.ReloadException;
import dev.tidemark.source.feed.SourceEvent;
import dev.tidemark.source.feed.Writer;

/**
 * Records without a value. Debezium writes one behind each event of a deletion. It is a deletion too, as compaction
 * may remove the event and leave it.
 */
final class Tombstones {
    /** All tables that are not followed. */
    private static final String OTHERS = "";

    private final Map<String, Writer.Followed> followed;

    /** Digests of keys whose deletion is the last event of their partition. */
    private final Map<Topics.Place, String> deleted;

    private TopicTables carried;

    /**
     * With what was read before.
     *
     * @param followed by their name in the database
     */
    Tombstones(Map<String, Writer.Followed> followed, TopicTables carried) {
        this.followed = Map.copyOf(followed);
        this.carried = carried;
        this.deleted = new HashMap<>(carried.deleted());
    }

    TopicTables carried() {
        return carried.behind(deleted);
    }

    /** An event was read. */
    void see(Topics.Message message, Envelope.Event event) {
        deleted.remove(message.place());
        if (event.what() instanceof SourceEvent.Delete) {
            message.key().ifPresent(key -> deleted.put(message.place(), TopicTables.digest(key)));
        }
        table(event.what())
                .map(name -> followed.containsKey(name) ? name : OTHERS)
                .ifPresent(name -> carried =
                        carried.with(message.place().topic(), event.key().form(), name));
    }

    /** The table of the row that an event is about. */
    static Optional<String> table(SourceEvent event) {
        if (event instanceof SourceEvent.Put put) {
            return Optional.of(put.table());
        }
        return event instanceof SourceEvent.Delete delete ? Optional.of(delete.table()) : Optional.empty();
    }

    /** Whether a record is one that does not come behind the event of its deletion. */
    boolean isAlone(Topics.Message message) {
        return message.value().isEmpty()
                && message.key().isPresent()
                && !TopicTables.digest(message.key().get()).equals(deleted.remove(message.place()));
    }

    /**
     * The tables whose row of that key is gone. A topic of which no event was read has brought no row. Where the key
     * may be of several tables, all records have to be read. While they are, a deletion without its event says that
     * compaction leaves no row of that key, of any of the tables.
     *
     * @throws ReloadException when it is not certain which ones they are
     */
    List<Writer.Followed> tables(String topic, Envelope.Key key, boolean loading) throws ReloadException {
        Set<String> names = carried.of(topic, key.form());
        List<Writer.Followed> tables = followed.values().stream()
                .filter(table -> names.contains(table.source()))
                .toList();
        List<Writer.Followed> fitting = tables.stream()
                .filter(table -> key.names().equals(Set.copyOf(table.primaryKey())))
                .toList();
        boolean certain = tables.isEmpty() || (names.size() == 1 && fitting.size() == 1);
        if (!loading && !certain) {
            throw new ReloadException(
                    "topic " + topic + " has a deletion without its event, and its row is not certain");
        }
        return fitting;
    }
}
