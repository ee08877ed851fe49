package dev.tidemark.source.feed;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** The writer, as a source sees it. A call that finds no writer waits for one. For any thread. */
public interface Writer {
    /**
     * How far the fact tables follow the source.
     *
     * @param position JSON null before the first batch
     * @param watermark empty while there is none
     * @param time the writer's clock, read before the position
     * @param restated the last version that the writer gave to a row that the source had not sent; empty for none
     */
    record State(
            JsonNode position,
            Optional<Instant> watermark,
            Instant time,
            Optional<String> restated,
            List<Followed> tables) {
        public State {
            tables = List.copyOf(tables);
        }

        /** The tables by their name in the database. */
        public Map<String, Followed> bySource() {
            return tables.stream().collect(Collectors.toMap(Followed::source, Function.identity()));
        }
    }

    /**
     * A fact table whose rows come from the source.
     *
     * @param table its name
     * @param source what the database calls it
     * @param primaryKey names of its columns
     * @param covered whether the watermark is about this table
     * @param since another one after clients may have changed its rows; 0 where it is not known
     */
    record Followed(String table, String source, List<String> primaryKey, boolean covered, long since) {
        public Followed {
            primaryKey = List.copyOf(primaryKey);
        }

        /** The primary key of a row. */
        public ObjectNode key(ObjectNode row) {
            ObjectNode key = row.objectNode();
            primaryKey.forEach(column -> key.set(column, row.path(column)));
            return key;
        }

        /** Where its rows come from. */
        Origin origin() {
            return new Origin(source, since);
        }
    }

    /**
     * Where the rows of a fact table come from.
     *
     * @param table its name in the database
     * @param since as {@link Followed#since()}
     */
    record Origin(String table, long since) {

        /** The same place, with what is known now; where that is less, with what was known. */
        public Origin as(Origin now) {
            return new Origin(table, now.since == 0 ? since : now.since);
        }

        /** Whether all rows of the table still come from there, as far as is known. */
        private boolean isStill(@Nullable Origin now) {
            return now != null && table.equals(now.table) && (since == now.since || since == 0 || now.since == 0);
        }

        /** Whether all rows of all fact tables, by their names, still come from where they came from. */
        public static boolean areStill(Map<String, Origin> former, Map<String, Origin> now) {
            return former.size() == now.size()
                    && former.entrySet().stream().allMatch(one -> one.getValue().isStill(now.get(one.getKey())));
        }

        /** Those of tables, by name of the fact table. */
        public static Map<String, Origin> of(Collection<Followed> tables) {
            return tables.stream().collect(Collectors.toMap(Followed::table, Followed::origin));
        }
    }

    /**
     * A batch, which the writer commits as one.
     *
     * @param after the position before it, as the writer gave it or was sent it; JSON null for none
     * @param changes as the writer takes them
     * @param tables fact tables that the watermark is about from now on; empty for those before
     */
    record Batch(
            JsonNode after,
            ObjectNode position,
            Optional<Instant> watermark,
            List<ObjectNode> changes,
            Optional<List<String>> tables) {
        public Batch {
            changes = List.copyOf(changes);
        }
    }

    /** One page of rows, in the order of their keys. */
    record Page(List<Row> rows, Optional<String> next) {
        public Page {
            rows = List.copyOf(rows);
        }
    }

    /** A row that the writer has. */
    record Row(String version, ObjectNode row) {}

    /** Name of the source, as the catalog has it. */
    String source();

    /** Why there is nothing to do while the state has no tables. */
    default String nothingToFollow() {
        return "no table of the writer's catalog follows the source " + source();
    }

    State state() throws InterruptedException;

    /**
     * Commits a batch. One whose answer was lost may be sent again.
     *
     * @return the version that later rows have at least
     * @throws MovedException when the position is another one
     * @throws NothingToKeepException when the writer has no row to take kept columns from
     * @throws ReloadException when rows are to be deleted by a version that no longer says which rows came since
     */
    String send(Batch batch) throws InterruptedException, MovedException, NothingToKeepException, ReloadException;

    /** Commits a position without changes, as {@link #send} does. */
    default String move(JsonNode after, ObjectNode position, Optional<List<String>> tables)
            throws InterruptedException, MovedException, NothingToKeepException, ReloadException {
        return send(new Batch(after, position, Optional.empty(), List.of(), tables));
    }

    /** Takes the source over from any other process by a position, and returns what {@link #send} does. */
    default String takeOver(JsonNode after, ObjectNode position, Optional<List<String>> tables)
            throws InterruptedException, MovedException, NothingToKeepException, ReloadException {
        String first = move(after, position, tables);
        while (first.isEmpty()) {
            // The answer was lost.
            first = move(position, position, tables);
        }
        return first;
    }

    /** With how many changes that keep columns the next batch should be sent; a batch with fewer may be as well. */
    int mostKept();

    /** Rows of a fact table, after a cursor. */
    Page rows(String table, Optional<String> cursor) throws InterruptedException;

    /** One row; empty when there is none. */
    Optional<Row> row(String table, JsonNode key) throws InterruptedException;

    /** Another process has fed the writer in the meantime. */
    final class MovedException extends Exception {
        private static final long serialVersionUID = 1L;

        public MovedException(String message) {
            super(message);
        }
    }

    /** The writer lacks a row, or its column, that the database has not sent again. */
    final class NothingToKeepException extends Exception {
        private static final long serialVersionUID = 1L;

        public NothingToKeepException(String message) {
            super(message);
        }
    }
}
