package dev.tidemark.source.feed;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.TreeWeight;

/** Sends changes to the writer in their order, in batches that each have the position behind them. For one thread. */
public final class Batches {
    private static final int MOST_CHANGES = 2_000;
    private static final long MOST_WEIGHT = 4 << 20;

    private final Writer writer;
    private final Supplier<ObjectNode> position;
    /** The position as the writer has it. */
    private JsonNode stored;

    private final List<ObjectNode> changes = new ArrayList<>();
    private long weight;
    private int kept;
    private boolean moved;
    private Optional<Instant> watermark = Optional.empty();

    /**
     * No changes yet.
     *
     * @param stored the position that the writer has, as it is there
     * @param position is read for each batch
     */
    public Batches(Writer writer, JsonNode stored, Supplier<ObjectNode> position) {
        this.writer = writer;
        this.stored = stored;
        this.position = position;
    }

    /**
     * Adds a row.
     *
     * @param keep columns whose values the writer has
     */
    public void put(Writer.Followed table, ObjectNode row, List<String> keep) {
        ObjectNode change = change(table, "put");
        change.set("row", row);
        if (!keep.isEmpty()) {
            keep.forEach(change.putArray("keep")::add);
            kept++;
        }
        add(change);
    }

    /** Adds the removal of the row that has the key of this one. */
    public void delete(Writer.Followed table, ObjectNode row) {
        add(deletion(table, row));
    }

    /** The position is another one, so that it has to be sent, also without changes. */
    public void move() {
        moved = true;
    }

    /** With the next batch, rows are as fresh as this, or as an earlier call for that batch said if that was later. */
    public void prove(Instant time) {
        watermark = Optional.of(watermark.filter(time::isBefore).orElse(time));
    }

    /**
     * Deletes all rows of a table that the writer has. They go in batches with the position before: a run that begins
     * there again deletes what is left.
     */
    public void truncate(Writer.Followed table) throws Exception {
        flush();
        sweep(table, Optional.empty());
        flush();
    }

    /**
     * Deletes the rows of tables that did not come since a version, because the database no longer has them.
     *
     * @return what the writer has now
     * @throws ReloadException when a row may have been kept that is gone, because it has a later version although no
     *     source sent it
     */
    public Writer.State deleteBefore(String first, Collection<Writer.Followed> tables) throws Exception {
        flush();
        for (Writer.Followed table : tables) {
            sweep(table, Optional.of(first));
        }
        flush();
        Writer.State state = writer.state();
        if (state.restated().filter(last -> last.compareTo(first) >= 0).isPresent()) {
            throw new ReloadException("the writer has committed rows once more while they were read");
        }
        return state;
    }

    /** Deletes the rows of a table that are older than a version, or all. */
    private void sweep(Writer.Followed table, Optional<String> first) throws Exception {
        Optional<String> cursor = Optional.empty();
        do {
            Writer.Page page = writer.rows(table.table(), cursor);
            for (Writer.Row row : page.rows()) {
                if (first.isEmpty() || row.version().compareTo(first.get()) < 0) {
                    ObjectNode change = deletion(table, row.row());
                    first.ifPresent(version -> change.put("ifVersionBefore", version));
                    add(change);
                    flushFull();
                }
            }
            cursor = page.next();
        } while (cursor.isPresent());
    }

    private void add(ObjectNode change) {
        changes.add(change);
        weight += TreeWeight.of(change);
    }

    /** Sends the batch if more should not be added to it. */
    public void flushFull() throws Exception {
        if (changes.size() >= MOST_CHANGES || weight >= MOST_WEIGHT || kept >= writer.mostKept()) {
            flush();
        }
    }

    /** Sends what there is. */
    public void flush() throws Exception {
        if (moved || !changes.isEmpty()) {
            send(Optional.empty());
        }
    }

    /**
     * Sends a batch, also without changes.
     *
     * @param covered fact tables that the watermark is about from now on; empty for those before
     */
    public void send(Optional<List<String>> covered) throws Exception {
        ObjectNode next = position.get();
        writer.send(new Writer.Batch(stored, next, watermark, changes, covered));
        stored = next;
        changes.clear();
        weight = 0;
        kept = 0;
        moved = false;
        watermark = Optional.empty();
    }

    private static ObjectNode deletion(Writer.Followed table, ObjectNode row) {
        ObjectNode change = change(table, "delete");
        change.set("key", table.key(row));
        return change;
    }

    private static ObjectNode change(Writer.Followed table, String op) {
        return JsonNodeFactory.instance.objectNode().put("table", table.table()).put("op", op);
    }
}
