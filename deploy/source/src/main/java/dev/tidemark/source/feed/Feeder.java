package dev.tidemark.source.feed;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Turns the events of one run of an engine into batches. For one thread. */
final class Feeder implements Engine.Sink {

    private final Writer writer;
    private final Map<String, Writer.Followed> tables;
    private final ColumnHistory columns;
    private final Progress progress;

    private Position position;
    private EventOrder last;
    private final Batches batches;

    /** Waits for the row that gets its place. */
    private SourceEvent.@Nullable Delete leaving;

    /**
     * A feeder.
     *
     * @param tables by their name in the database
     * @param position to go on from
     * @param stored the same as the writer has it
     */
    Feeder(
            Writer writer,
            Map<String, Writer.Followed> tables,
            ColumnHistory columns,
            Progress progress,
            Position position,
            JsonNode stored) {
        this.writer = writer;
        this.tables = Map.copyOf(tables);
        this.columns = columns;
        this.progress = progress;
        this.position = position;
        this.batches = new Batches(writer, stored, () -> this.position.toJson());
        this.last = new EventOrder(position.order().base(), 0, -1);
    }

    @Override
    public void take(Iterable<SourceEvent> events) throws Exception {
        for (SourceEvent event : events) {
            if (event.place().isPresent()) {
                endSnapshot(event.place().get());
                if (!isNew(event.place().get())) {
                    continue;
                }
            }
            apply(event);
            batches.flushFull();
        }
        batches.flush();
    }

    /** Whether the event was not committed by an earlier run. An engine begins with a whole transaction. */
    private boolean isNew(SourceEvent.Place place) {
        if (last.number() >= 0 && place.base().orElse(last.base()) < last.base()) {
            throw new IllegalStateException("the stream of the database went back, as that of another server may");
        }
        last = last.next(place.base().orElse(last.base()), place.lsn());
        return last.compareTo(position.order()) > 0;
    }

    private void apply(SourceEvent event) throws Exception {
        SourceEvent.Delete left = leaving;
        leaving = null;
        if (left != null) {
            leave(left, event);
        }
        if (event instanceof SourceEvent.Put put) {
            put(put, left != null);
        } else if (event instanceof SourceEvent.Delete delete && delete.moved()) {
            leaving = delete;
            return;
        } else if (event instanceof SourceEvent.Delete delete) {
            delete(followed(delete.table()), delete.row());
        } else if (event instanceof SourceEvent.Truncate truncate) {
            batches.truncate(followed(truncate.table()));
        } else if (event instanceof SourceEvent.Marker marker) {
            pass(marker);
        } else if (event instanceof SourceEvent.Alteration alteration) {
            alter(alteration);
        }
        if (event.place().isPresent()) {
            reached(event.place().get());
        }
    }

    private Writer.Followed followed(String table) {
        return Optional.ofNullable(tables.get(table))
                .orElseThrow(() -> new IllegalStateException("Expected no event of table " + table));
    }

    private void reached(SourceEvent.Place place) {
        position = position.at(last, place.offset());
        batches.move();
    }

    /** Deletes a row under its former key, once it is known what the row under the new one lacks. */
    private void leave(SourceEvent.Delete left, SourceEvent next) throws Exception {
        if (next instanceof SourceEvent.Put put && !put.keep().isEmpty()) {
            fill(put, left.row());
        }
        delete(followed(left.table()), left.row());
    }

    private void put(SourceEvent.Put put, boolean filled) throws Exception {
        Writer.Followed table = followed(put.table());
        boolean otherKey =
                put.before().isPresent() && isOther(table, put.before().get(), put.row());
        if (otherKey) {
            if (!put.keep().isEmpty()) {
                fill(put, put.before().get());
            }
            delete(table, put.before().get());
        }
        batches.put(table, put.row(), filled || otherKey ? List.of() : put.keep());
        if (put.place().isEmpty()) {
            progress.read(put.table());
        }
    }

    private void delete(Writer.Followed table, ObjectNode row) throws ReloadException {
        if (!table.primaryKey().stream().allMatch(row::hasNonNull)) {
            throw new ReloadException("the database has not sent the former primary key of a row of " + table.source());
        }
        batches.delete(table, row);
    }

    private static boolean isOther(Writer.Followed table, ObjectNode before, ObjectNode row) {
        return table.primaryKey().stream()
                .anyMatch(column -> before.has(column)
                        && row.has(column)
                        && !before.get(column).equals(row.get(column)));
    }

    /**
     * Takes columns that the database has not sent from the row with the former key, which the writer has. Where the
     * stream repeats changes, that may be a later row, which was given the key since. A row that keeps its key needs no
     * such care: where the writer has a later row, the stream goes on to it.
     */
    private void fill(SourceEvent.Put put, ObjectNode former) throws Exception {
        if (position.repeated().containsKey(put.table())) {
            throw new ReloadException("the key of a row of " + put.table() + " has changed while that table was read");
        }
        batches.flush();
        Writer.Followed table = followed(put.table());
        ObjectNode row = writer.row(table.table(), table.key(former))
                .map(Writer.Row::row)
                .orElseThrow(() ->
                        new ReloadException("the writer lacks a row of " + put.table() + " whose key has changed"));
        for (String column : put.keep()) {
            if (!row.has(column)) {
                throw new ReloadException(
                        "the writer lacks " + column + " of a row of " + put.table() + " whose key has changed");
            }
            put.row().set(column, row.get(column));
        }
    }

    /** What is between the snapshot and the first event concerns no row. */
    private void endSnapshot(SourceEvent.Place next) throws Exception {
        if (position.snapshot().isEmpty()) {
            return;
        }
        Map<String, String> all = new TreeMap<>();
        tables.forEach((name, table) -> all.put(table.table(), name));
        List<Writer.Followed> read =
                position.unread(tables).stream().map(this::followed).toList();
        // The tables were read after the writer had that watermark, so it holds for all of them.
        Writer.State state = batches.deleteBefore(position.snapshot().get().first(), read);
        state.watermark().ifPresent(batches::prove);
        position = position.following(next.offset(), all, state.time());
        batches.send(Optional.of(List.copyOf(all.keySet())));
        progress.ended();
    }

    /** Every commit before the marker's time is in what was taken so far. */
    private void pass(SourceEvent.Marker marker) throws ReloadException {
        Optional<MarkerContent> content = MarkerContent.of(marker.content());
        if (content.isEmpty()) {
            return;
        }
        // A marker from before a table was added says nothing of it, and one from before a table was left out, too
        // much.
        Map<String, String> digests = new TreeMap<>(content.get().columns());
        digests.keySet().retainAll(tables.keySet());
        if (!digests.entrySet().stream().allMatch(this::leavesRows)) {
            throw new ReloadException("columns were changed, or a table was replaced or not published, so that rows"
                    + " differ which were not written");
        }
        position = position.marked(content.get().time(), digests);
        batches.prove(content.get().time());
    }

    private boolean leavesRows(Map.Entry<String, String> digest) {
        String table = digest.getKey();
        return columns.leavesRows(table, position.columns().getOrDefault(table, ""), digest.getValue());
    }

    private void alter(SourceEvent.Alteration alteration) throws ReloadException {
        if (alteration.reload().isPresent()) {
            throw new ReloadException(alteration.reload().get());
        }
        position = position.altered();
    }
}
