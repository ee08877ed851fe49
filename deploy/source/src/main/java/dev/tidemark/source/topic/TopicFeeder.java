package dev.tidemark.source.topic;

import java.time.Duration;
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

    private final Writer writer;
    private final Map<String, Writer.Followed> tables;
    private final Envelope envelope;
    private final Consumer<Instant> markers;
    private final Progress progress;
    private final Map<Topics.Place, Long> offsets;
    private final Set<String> snapshots = new TreeSet<>();
    private final Batches batches;
    private final Tombstones tombstones;
    private TopicPosition position;
    private Map<String, Topics.Compaction> compacted = Map.of();

    /** Since the last proof began. */
    private TopicGaps gaps = TopicGaps.NONE;

    /** Fact tables that were empty before: they have no older rows. */
    private final Set<String> empty = new TreeSet<>();

    /** The writer's clock after the records were polled, where it was needed. */
    private Optional<Instant> polled = Optional.empty();

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
        this.writer = writer;
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

    /** Topics were looked at, at a time by the writer's clock. */
    void isCompacted(Map<String, Topics.Compaction> how, Instant time) {
        compacted = Map.copyOf(how);
        gaps = gaps.seeing(how);
        position = position.with(position.gaps().seeing(how).reading(time));
        if (position.gaps().load().isPresent()) {
            batches.move();
        }
    }

    /** All records begin to be read. */
    void beginLoad() throws InterruptedException {
        for (Writer.Followed table : tables.values()) {
            if (writer.rows(table.table(), Optional.empty()).rows().isEmpty()) {
                empty.add(table.table());
            }
        }
    }

    /** What is there now will be proven to be read, by {@link #isCurrent}. */
    void beginProof() {
        gaps = TopicGaps.NONE.seeing(compacted);
    }

    /** All that was there by that time, at which the last proof began, was read. */
    void isCurrent(Instant time) {
        position = position.currentAt(time, gaps);
        // A source that goes on from there would count the time before as its absence.
        batches.move();
    }

    /**
     * Takes records.
     *
     * @param next where each partition goes on behind them
     */
    void take(List<Topics.Message> messages, Map<Topics.Place, Long> next) throws Exception {
        polled = Optional.empty();
        for (Topics.Message message : messages) {
            pass(message.place(), message.offset());
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
            next.forEach(this::pass);
            offsets.putAll(next);
            batches.move();
        }
        batches.flush();
    }

    /** Offsets up to here that have no record were of records that compaction removed, or are of a transaction. */
    private void pass(Topics.Place place, long next) {
        if (next > offsets.getOrDefault(place, 0L) && compacted.containsKey(place.topic())) {
            gaps = gaps.skipping(place.topic());
            position = position.with(position.gaps().skipping(place.topic()));
        }
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
        } else if (event instanceof SourceEvent.Put put && followed(put.table()).isPresent()) {
            put(put, followed(put.table()).get(), place.topic());
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

    private void put(SourceEvent.Put put, Writer.Followed table, String topic) throws Exception {
        if (!put.keep().isEmpty() && compacted.containsKey(topic)) {
            requireRead(put, table, topic);
        }
        put.before()
                .filter(before -> !table.key(before).equals(table.key(put.row())))
                .ifPresent(before -> batches.delete(table, before));
        batches.put(table, put.row(), put.keep());
    }

    /**
     * Refuses to keep the writer's value where compaction may have removed a later one before it was read. A pass of
     * the cleaner removes all records of a key but the last. So where the full record was read from the beginning, no
     * pass before has removed a record behind it.
     */
    private void requireRead(SourceEvent.Put put, Writer.Followed table, String topic) throws Exception {
        TopicGaps since = position.gaps();
        if (!since.skipped().contains(topic)) {
            return;
        }
        String lag = "min.compaction.lag.ms of topic " + topic + " was "
                + since.spares(topic).toMillis();
        Optional<String> first = position.loading().or(() -> since.load().map(TopicGaps.Load::first));
        if (first.isPresent()) {
            if (isOlder(put, table, first.get())) {
                throw new UnsentException("compaction has removed the record that had its value, as " + lag);
            }
        } else if (since.mayLack(topic, Duration.between(position.current(), now()))) {
            throw new UnsentException("compaction may have removed a record that changed it, as " + lag
                    + " and the source had last read all at " + position.current());
        }
    }

    /** Whether the writer has a row from before all was read from the beginning. It refuses by itself without a row. */
    private boolean isOlder(SourceEvent.Put put, Writer.Followed table, String first) throws Exception {
        if (empty.contains(table.table())) {
            return false;
        }
        batches.flush();
        return writer.row(table.table(), table.key(put.row()))
                .filter(row -> row.version().compareTo(first) < 0)
                .isPresent();
    }

    private Instant now() throws InterruptedException {
        Instant now = polled.isPresent() ? polled.get() : writer.state().time();
        polled = Optional.of(now);
        return now;
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
        Writer.State state = batches.deleteBefore(first, brought);
        position = position.following(first, state.time());
        batches.send(Optional.empty());
        progress.ended();
    }

    /** Rows are as fresh as this. */
    void prove(Instant watermark, boolean covers) throws Exception {
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
