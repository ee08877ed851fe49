package dev.tidemark.source.feed;

import java.util.Optional;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Finds rows of a fact table that the database no longer has. */
public record Sweep(Writer writer, Writer.Followed table) {
    /** Takes the deletion of a row. */
    @FunctionalInterface
    public interface Taker {
        void take(ObjectNode change) throws Exception;
    }

    /** Reads all rows, and gives a deletion of each that is gone. */
    public void rows(Predicate<Writer.Row> gone, Taker taker) throws Exception {
        Optional<String> cursor = Optional.empty();
        do {
            Writer.Page page = writer.rows(table.table(), cursor);
            for (Writer.Row row : page.rows()) {
                if (gone.test(row)) {
                    taker.take(deletion(row));
                }
            }
            cursor = page.next();
        } while (cursor.isPresent());
    }

    /**
     * To be called after the deletions of rows from before a version were sent.
     *
     * @return what the writer has now
     * @throws ReloadException when a row may have been kept that is gone, because it has a later version although no
     *     source sent it
     */
    public static Writer.State complete(Writer writer, String first) throws ReloadException, InterruptedException {
        Writer.State state = writer.state();
        if (state.restated().filter(last -> last.compareTo(first) >= 0).isPresent()) {
            throw new ReloadException("the writer has committed rows once more while they were read");
        }
        return state;
    }

    private ObjectNode deletion(Writer.Row row) {
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        change.put("table", table.table()).put("op", "delete");
        change.set("key", key(table, row.row()));
        return change;
    }

    /** The primary key of a row. */
    public static ObjectNode key(Writer.Followed table, ObjectNode row) {
        ObjectNode key = row.objectNode();
        table.primaryKey().forEach(column -> key.set(column, row.path(column)));
        return key;
    }
}
