package dev.tidemark.source.feed;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.TreeWeight;

/** The changes of the next batch for the writer, in order. For one thread. */
public final class ChangeBuffer {
    private static final int MOST_CHANGES = 2_000;
    private static final long MOST_WEIGHT = 4 << 20;

    private final List<ObjectNode> changes = new ArrayList<>();
    private final Writer writer;
    private long weight;
    private int kept;

    /**
     * No changes yet.
     *
     * @param writer bounds how many of them keep columns
     */
    public ChangeBuffer(Writer writer) {
        this.writer = writer;
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
        ObjectNode change = change(table, "delete");
        change.set("key", Sweep.key(table, row));
        add(change);
    }

    /** Adds a change as the writer takes it. */
    public void add(ObjectNode change) {
        changes.add(change);
        weight += TreeWeight.of(change);
    }

    /** Whether the batch should be sent before more is added. */
    public boolean isFull() {
        return changes.size() >= MOST_CHANGES || weight >= MOST_WEIGHT || kept >= writer.mostKept();
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** The changes so far. */
    public List<ObjectNode> changes() {
        return changes;
    }

    /** Forgets what was sent. */
    public void clear() {
        changes.clear();
        weight = 0;
        kept = 0;
    }

    private static ObjectNode change(Writer.Followed table, String op) {
        return JsonNodeFactory.instance.objectNode().put("table", table.table()).put("op", op);
    }
}
