package dev.tidemark.client;

/**
 * One line of a bulk load.
 *
 * @param <T> type of the rows
 */
public sealed interface Change<T> {
    /** Inserts or replaces a row, which holds its primary key. */
    static <T> Change<T> put(T row) {
        return new Put<>(row);
    }

    /**
     * Deletes a row.
     *
     * @param key as for {@link Table#get(Object)}
     */
    static <T> Change<T> delete(Object key) {
        return new Delete<>(key);
    }

    /** A row to insert or replace. */
    record Put<T>(T row) implements Change<T> {}

    /** The key of a row to delete. */
    record Delete<T>(Object key) implements Change<T> {}
}
