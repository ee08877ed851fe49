package dev.tidemark.source.check;

import java.util.List;
import java.util.Map;

/**
 * What is found in a database.
 *
 * @param version of the server, as in {@code server_version_num}
 * @param settings of the server, by name
 * @param user the role that is connected
 * @param mayReplicate whether it may use replication slots
 * @param mayCreate whether it may create publications in the database
 * @param slots what all replication slots of the cluster are for, by their names; empty for the database
 * @param publication that of the source
 * @param tables those of the source that are there
 */
public record DatabaseFacts(
        int version,
        Map<String, String> settings,
        String database,
        String user,
        boolean mayReplicate,
        boolean mayCreate,
        Map<String, String> slots,
        Publication publication,
        List<Table> tables) {
    public DatabaseFacts {
        settings = Map.copyOf(settings);
        slots = Map.copyOf(slots);
        tables = List.copyOf(tables);
    }

    /**
     * The publication of the source.
     *
     * @param exists whether it is there
     * @param owned whether the role owns it
     * @param whole whether it publishes inserts, updates, deletes and truncates
     * @param tables names of its tables
     * @param partial names of those of which it leaves rows or columns out
     */
    public record Publication(boolean exists, boolean owned, boolean whole, List<String> tables, List<String> partial) {
        /** There is none. */
        public static final Publication NONE = new Publication(false, false, false, List.of(), List.of());

        public Publication {
            partial = List.copyOf(partial);
            tables = List.copyOf(tables);
        }
    }

    /**
     * A table.
     *
     * @param name with its schema
     * @param quoted the same as SQL needs it
     * @param kind as in {@code pg_class.relkind}; p as well where other tables inherit from it
     * @param logged whether changes are in the write-ahead log
     * @param readable whether the role may read it
     * @param owned whether the role owns it
     * @param identity as in {@code pg_class.relreplident}: d, n, f, i
     * @param identityColumns columns that an update or a delete sends of the row before
     * @param columns all columns, with their types
     * @param generated columns that the server computes and does not send
     * @param strange columns whose type is of an extension that was not tried; their rows hold text
     * @param deferred columns that a statement can swap between rows, each with the SQL after which none can
     */
    public record Table(
            String name,
            String quoted,
            String kind,
            boolean logged,
            boolean readable,
            boolean owned,
            String identity,
            List<String> identityColumns,
            List<String> columns,
            List<String> generated,
            List<String> strange,
            Map<String, String> deferred) {
        public Table {
            identityColumns = List.copyOf(identityColumns);
            columns = List.copyOf(columns);
            generated = List.copyOf(generated);
            strange = List.copyOf(strange);
            deferred = Map.copyOf(deferred);
        }
    }
}
