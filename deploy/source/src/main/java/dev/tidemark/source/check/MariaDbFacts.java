package dev.tidemark.source.check;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is found in a MariaDB.
 *
 * @param settings of the server, by name in small letters; {@code version} among them
 * @param user the account that is connected, as SQL needs it
 * @param grants what it may do, as {@code SHOW GRANTS} says it
 * @param markers the table of markers, as SQL needs it
 * @param room how many characters a marker may have; empty where that table is not there, for this account
 * @param unlogged databases that the binary log leaves out
 * @param tables those of the source that are there
 */
public record MariaDbFacts(
        Map<String, String> settings,
        String user,
        List<String> grants,
        String markers,
        Optional<Long> room,
        List<String> unlogged,
        List<Table> tables) {
    public MariaDbFacts {
        settings = Map.copyOf(settings);
        grants = List.copyOf(grants);
        unlogged = List.copyOf(unlogged);
        tables = List.copyOf(tables);
    }

    /** Names of the tables that the account may read. */
    public List<String> readable() {
        return tables.stream().filter(Table::readable).map(Table::name).toList();
    }

    /**
     * A table.
     *
     * @param name with its database
     * @param quoted the same as SQL needs it
     * @param kind as in {@code information_schema.TABLES.TABLE_TYPE}
     * @param readable whether the account may read it
     * @param columns all columns
     * @param cascades foreign keys that change or delete its rows without a trace in the binary log
     * @param unreadable columns of types with which Debezium cannot read it
     */
    public record Table(
            String name,
            String quoted,
            String kind,
            boolean readable,
            List<String> columns,
            List<String> cascades,
            List<String> unreadable) {
        public Table {
            columns = List.copyOf(columns);
            cascades = List.copyOf(cascades);
            unreadable = List.copyOf(unreadable);
        }

        String database() {
            return name.substring(0, name.indexOf('.'));
        }
    }
}
