package dev.tidemark.source.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.source.check.DatabaseFacts;
import dev.tidemark.source.feed.Database.DatabaseException;
import dev.tidemark.source.jdbc.Connector;
import dev.tidemark.source.jdbc.Rows;

/** Looks at what {@code tidemark source check} judges. */
final class DatabaseLook {
    private static final String SETTINGS = "SELECT name, setting FROM pg_settings WHERE name IN ('wal_level',"
            + " 'max_replication_slots', 'max_slot_wal_keep_size', 'server_version_num')";

    private static final String SLOTS = "SELECT slot_name, " + PostgresDatabase.HOLDER + " FROM pg_replication_slots";

    private static final String ROLE = "SELECT current_database(), current_user, rolsuper OR rolreplication"
            + " OR EXISTS (SELECT FROM pg_roles g WHERE g.rolname = 'rds_replication'"
            + " AND pg_has_role(current_user, g.oid, 'MEMBER')),"
            + " has_database_privilege(current_database(), 'CREATE') FROM pg_roles WHERE rolname = current_user";

    private static final String PUBLICATION = "SELECT pg_has_role(f.pubowner, 'USAGE'),"
            + " f.pubinsert AND f.pubupdate AND f.pubdelete AND f.pubtruncate,"
            + " ARRAY(SELECT schemaname || '.' || tablename FROM pg_publication_tables WHERE pubname = f.pubname),"
            + " ARRAY(SELECT n.nspname || '.' || c.relname FROM pg_publication_rel r JOIN pg_class c ON c.oid = r.prrelid"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE r.prpubid = f.oid AND "
            + PostgresDatabase.LEAVES_OUT + ")"
            + " FROM pg_publication f WHERE f.pubname = ?";

    /** Columns that a statement can swap between rows, each with the SQL after which none can. */
    private static final String SWAPPED = " FROM pg_attribute a CROSS JOIN LATERAL (SELECT d.indexrelid"
            + PostgresDatabase.DEFERRED + ") AS i JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype IN"
            + " ('p', 'u') WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum, k.oid";

    private static final String AT_ONCE =
            "format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s;', c.oid::regclass, k.conname, k.conname,"
                    + " regexp_replace(pg_get_constraintdef(k.oid), ' DEFERRABLE( INITIALLY DEFERRED)?$', ''))";

    private static final String TABLES = "SELECT wanted.name, c.oid::regclass::text, CASE WHEN "
            + PostgresDatabase.IS_INHERITED + " THEN 'p' ELSE c.relkind END,"
            + " c.relpersistence = 'p', has_table_privilege(c.oid, 'SELECT'), pg_has_role(c.relowner, 'USAGE'),"
            + " c.relreplident,"
            + " ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0"
            + " AND NOT a.attisdropped AND " + PostgresDatabase.IS_SENT + "),"
            + " ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0"
            + " AND NOT a.attisdropped),"
            + " ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0"
            + " AND NOT a.attisdropped AND a.attgenerated <> ''),"
            + " ARRAY(SELECT a.attname || ' (' || format_type(a.atttypid, a.atttypmod) || ')' FROM pg_attribute a"
            + " JOIN pg_type t ON t.oid = a.atttypid JOIN pg_depend d ON d.objid = t.oid AND d.deptype = 'e'"
            + " AND d.classid = 'pg_type'::regclass WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
            + " AND t.typname NOT IN ('hstore', '_hstore', 'citext', '_citext', 'ltree', '_ltree')),"
            + " ARRAY(SELECT a.attname::text" + SWAPPED + "), ARRAY(SELECT " + AT_ONCE + SWAPPED + ")"
            + PostgresDatabase.OF_TABLES;

    private DatabaseLook() {}

    /** What is there for these tables. */
    static DatabaseFacts look(Connector connector, Collection<String> tables, String publication)
            throws DatabaseException {
        return connector.ask(connection -> {
            Map<String, String> settings = new HashMap<>();
            Rows.each(connection, SETTINGS, row -> settings.put(row.getString(1), row.getString(2)));
            Map<String, String> slots = new HashMap<>();
            Rows.each(connection, SLOTS, row -> slots.put(row.getString(1), row.getString(2)));
            List<DatabaseFacts.Table> found =
                    Rows.of(connection, TABLES, DatabaseLook::table, (Object) tables.toArray(String[]::new));
            DatabaseFacts.Publication published =
                    Rows.of(connection, PUBLICATION, DatabaseLook::published, publication).stream()
                            .findFirst()
                            .orElse(DatabaseFacts.Publication.NONE);
            return Rows.of(
                            connection,
                            ROLE,
                            row -> new DatabaseFacts(
                                    Integer.parseInt(settings.getOrDefault("server_version_num", "0")),
                                    settings,
                                    row.getString(1),
                                    row.getString(2),
                                    row.getBoolean(3),
                                    row.getBoolean(4),
                                    slots,
                                    published,
                                    found))
                    .get(0);
        });
    }

    private static DatabaseFacts.Publication published(ResultSet row) throws SQLException {
        return new DatabaseFacts.Publication(true, row.getBoolean(1), row.getBoolean(2), texts(row, 3), texts(row, 4));
    }

    private static DatabaseFacts.Table table(ResultSet row) throws SQLException {
        Map<String, String> deferred = new HashMap<>();
        List<String> columns = texts(row, 12);
        List<String> mends = texts(row, 13);
        for (int at = 0; at < columns.size(); at++) {
            deferred.merge(columns.get(at), mends.get(at), (one, other) -> one + " " + other);
        }
        return new DatabaseFacts.Table(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getBoolean(4),
                row.getBoolean(5),
                row.getBoolean(6),
                row.getString(7),
                texts(row, 8),
                texts(row, 9),
                texts(row, 10),
                texts(row, 11),
                deferred);
    }

    private static List<String> texts(ResultSet row, int column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }
}
