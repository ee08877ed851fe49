package dev.tidemark.source.feed;

import java.util.Optional;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Finds rows of a fact table that the database no longer has. */
record Sweep(Writer writer, Writer.Followed table) {
    /** Takes the deletion of a row. */
    @FunctionalInterface
    interface Taker {
        void take(ObjectNode change) throws Exception;
    }

    void rows(Predicate<Writer.Row> gone, Taker taker) throws Exception {
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

    private ObjectNode deletion(Writer.Row row) {
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        change.put("table", table.table()).put("op", "delete");
        ObjectNode key = change.putObject("key");
        table.primaryKey().forEach(column -> key.set(column, row.row().path(column)));
        return change;
    }
}
