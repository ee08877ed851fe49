package dev.tidemark.source.topic;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.source.feed.Batches;
import dev.tidemark.source.feed.MarkerContent;
import dev.tidemark.source.feed.Progress;
import dev.tidemark.source.feed.ReloadException;
import dev.tidemark.source.feed.SourceEvent;
import dev.tidemark.source.feed.Writer;

/** Turns records of topics into batches, each with the offsets behind it. */
final class TopicFeeder {

    private final Map<String, Writer.Followed> tables;
    private final Envelope envelope;
    private final Consumer<Instant> markers;
    private final Progress progress;
    private final Map<Topics.Place, Long> offsets;
    private final Set<String> snapshots = new TreeSet<>();
    private final Batches batches;
    private final Tombstones tombstones;
    private TopicPosition position;

    /**
     * A feeder.
     *
     * @param tables by their name in the database
     * @param markers is called with their times
     * @param position to go on from
     * @param stored what the writer has of it, as it is there: an earlier version may have stored less
     */
    TopicFeeder(
            Writer writer,
            Map<String, Writer.Followed> tables,
            Envelope envelope,
            Consumer<Instant> markers,
            Progress progress,
            TopicPosition position,
            JsonNode stored) {
        this.tables = Map.copyOf(tables);
        this.envelope = envelope;
        this.markers = markers;
        this.progress = progress;
        this.position = position;
        this.batches = new Batches(writer, stored, this::next);
        position.snapshot().ifPresent(snapshots::add);
        this.offsets = new HashMap<>(position.offsets());
        this.tombstones = new Tombstones(tables, position.carried());
    }

    TopicPosition position() {
        return position;
    }

    /** All that was there until now was read. */
    void isCurrent(Instant now) {
        position = position.currentAt(now);
    }

    /**
     * Takes records.
     *
     * @param next where each partition goes on behind them
     */
    void take(List<Topics.Message> messages, Map<Topics.Place, Long> next) throws Exception {
        for (Topics.Message message : messages) {
            Optional<Envelope.Event> event = envelope.read(message);
            if (event.isPresent()) {
                event.flatMap(Envelope.Event::snapshot).ifPresent(this::seeSnapshot);
                if (snapshots.size() > 1) {
                    throw new LostException("Debezium has read the tables more than once, at " + snapshots
                            + ", and rows that were deleted in between are in the topics still");
                }
                requireOrder(event.get(), message.place());
                tombstones.see(message, event.get());
                apply(event.get().what(), message.place());
            } else if (tombstones.isAlone(message)) {
                remove(envelope.key(message), message.place());
            }
            offsets.put(message.place(), message.offset() + 1);
            batches.move();
            if (position.loading().isPresent()) {
                progress.read(message.place().topic());
            }
            batches.flushFull();
        }
        // Behind the last record may be entries of transactions, which are no records and leave the topic like them.
        if (!offsets.equals(next)) {
            offsets.putAll(next);
            batches.move();
        }
        batches.flush();
    }

    /**
     * Changes of a row are in one partition where the columns by which they are spread are of its primary key. What is
     * no column of the row is the same for all rows of a table: a router of topics adds that.
     */
    private void requireOrder(Envelope.Event event, Topics.Place place) throws Topics.TopicsException {
        Optional<Writer.Followed> table = Tombstones.table(event.what()).flatMap(this::followed);
        Set<String> key = event.key().names();
        if (table.isPresent()
                && isSpread(place)
                && (key.isEmpty()
                        || (event.what() instanceof SourceEvent.Put put
                                && key.stream().anyMatch(column -> isOther(column, put, table.get()))))) {
            throw new Topics.TopicsException("changes of " + table.get().source() + " in partitions of topic "
                    + place.topic() + " have no order: the primary key in the catalog is "
                    + String.join(", ", table.get().primaryKey()) + ", and the key of a record has "
                    + (key.isEmpty() ? "no column" : String.join(", ", key)));
        }
    }

    private static boolean isOther(String column, SourceEvent.Put put, Writer.Followed table) {
        return put.row().has(column) && !table.primaryKey().contains(column);
    }

    private boolean isSpread(Topics.Place place) {
        return offsets.containsKey(new Topics.Place(place.topic(), 1));
    }

    /** A snapshot that comes behind a proven marker is another one than that before it. */
    private void seeSnapshot(String at) {
        snapshots.add(at);
        if (position.covered() && position.snapshot().isEmpty()) {
            snapshots.add("an unknown position");
        }
        position = position.withSnapshot(at);
    }

    /** Changes of tables that are not followed are left out. */
    private void apply(SourceEvent event, Topics.Place place) throws Exception {
        if (event instanceof SourceEvent.Marker marker) {
            MarkerContent.of(marker.content()).map(MarkerContent::time).ifPresent(markers);
        } else if (event instanceof SourceEvent.Put put) {
            followed(put.table()).ifPresent(table -> put(put, table));
        } else if (event instanceof SourceEvent.Delete delete) {
            followed(delete.table()).ifPresent(table -> batches.delete(table, delete.row()));
        } else if (event instanceof SourceEvent.Truncate truncate
                && followed(truncate.table()).isPresent()) {
            truncate(followed(truncate.table()).get(), place);
        }
    }

    /** The event of the deletion was removed by compaction. */
    private void remove(Envelope.Key key, Topics.Place place) throws ReloadException {
        boolean loading = position.loading().isPresent();
        tombstones.tables(place.topic(), key, loading).forEach(table -> batches.delete(table, key.columns()));
    }

    private Optional<Writer.Followed> followed(String table) {
        return Optional.ofNullable(tables.get(table));
    }

    private void truncate(Writer.Followed table, Topics.Place place) throws Exception {
        if (isSpread(place)) {
            throw new Topics.TopicsException("a truncation of " + table.source()
                    + " has no order with changes in other partitions of topic " + place.topic());
        }
        batches.truncate(table);
    }

    private void put(SourceEvent.Put put, Writer.Followed table) {
        put.before()
                .filter(before -> !table.key(before).equals(table.key(put.row())))
                .ifPresent(before -> batches.delete(table, before));
        batches.put(table, put.row(), put.keep());
    }

    /** All records that were there when it began were read. Rows that did not come are gone where topics bring them. */
    void endLoad(String first) throws Exception {
        batches.flush();
        List<Writer.Followed> brought = new ArrayList<>();
        for (Writer.Followed table : tables.values()) {
            if (position.brings(table.source())) {
                brought.add(table);
            } else {
                progress.warn(TopicRules.noTopic(table.source()));
            }
        }
        Writer.State unused = batches.deleteBefore(first, brought);
        position = position.following();
        batches.send(Optional.empty());
        progress.ended();
    }

    /** Rows are as fresh as this. */
    void prove(Instant watermark, boolean covers) throws Exception {
        batches.flush();
        Optional<List<String>> covered = Optional.empty();
        if (covers && !position.covered()) {
            position = position.withCover();
            covered = Optional.of(position.tables().entrySet().stream()
                    .filter(table -> position.brings(table.getValue().table()))
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList());
        }
        batches.prove(watermark);
        batches.send(covered);
    }

    /** The position behind what was read. */
    private ObjectNode next() {
        position = position.at(offsets, tombstones.carried());
        return position.toJson();
    }
}
