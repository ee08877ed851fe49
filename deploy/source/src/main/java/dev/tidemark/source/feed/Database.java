package dev.tidemark.source.feed;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The database that is followed. For any thread. */
public interface Database {
    /**
     * A replication slot.
     *
     * @param confirmed up to here its changes are gone
     * @param active whether a process reads from it
     * @param lost whether the database has removed changes that it had to keep
     * @param safeBytes how much more may be written before it is lost; empty for no limit
     */
    record Slot(long confirmed, boolean active, boolean lost, Optional<Long> safeBytes) {}

    Position.Identity identity() throws DatabaseException;

    /** The replication slot; empty when there is none. */
    Optional<Slot> slot() throws DatabaseException;

    /** Has the stream bring all changes of these tables from now on. */
    void publish(Collection<String> tables) throws DatabaseException;

    /** Makes room for a stream that begins with a snapshot. */
    void prepareSnapshot() throws DatabaseException;

    /** Whether some tables can be read, after which the stream goes on where it was. */
    boolean canAddTables() throws DatabaseException;

    /**
     * Prepares the reading of tables that are added, where {@link #canAddTables} says that it can be done: from now on,
     * the stream has all changes of them which are not in what is read.
     *
     * @param all the tables, with those that were followed before
     * @param base end of the last commit before the first one that the stream has to have
     * @return what has to be waited for; empty when the tables can be read
     */
    Optional<String> prepareAdding(Collection<String> all, long base) throws DatabaseException;

    /**
     * Why the stream cannot go on after a position, beside what its slot says; empty where it can.
     *
     * @param offset {@link Position#offset()} of the position
     */
    Optional<String> lost(String offset) throws DatabaseException;

    /**
     * Whether the stream says which columns its rows have. Otherwise an engine has to be shown them where it begins,
     * and they must be those that the tables have now.
     */
    boolean streamsColumns();

    /** Columns of these tables that no row can hold as they are, for people. */
    List<String> oddities(Collection<String> tables) throws DatabaseException;

    /**
     * Columns of tables with all that decides what is in a row, whether a change of them changed rows, and whether the
     * stream has all changes.
     */
    Columns columns(Collection<String> tables) throws DatabaseException;

    /** About how many rows each table has. */
    Map<String, Long> estimates(Collection<String> tables) throws DatabaseException;

    /** Commits a message into the stream of changes. */
    void mark(byte[] content) throws DatabaseException;

    /** The database does not answer, or refuses. */
    final class DatabaseException extends Exception {
        private static final long serialVersionUID = 1L;

        public DatabaseException(String message) {
            super(message);
        }

        /** A failure with its cause. */
        public DatabaseException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
