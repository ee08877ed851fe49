package dev.tidemark.source.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.tidemark.source.check.DatabaseFacts;
import dev.tidemark.source.feed.Columns;
import dev.tidemark.source.feed.Database;
import dev.tidemark.source.feed.Position;
import dev.tidemark.source.jdbc.Connector;

/** A PostgreSQL of version 14 or later. */
public final class PostgresDatabase implements Database, AutoCloseable {
    private static final String IDENTITY = "SELECT system_identifier::text,"
            + " ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint FROM pg_control_system()";

    /** What a slot is for; empty where that is this database. A name of a slot is given once in a cluster. */
    static final String HOLDER = "CASE WHEN database = current_database() THEN ''"
            + " ELSE coalesce('database ' || database, 'a standby') END";

    private static final String SLOT = "SELECT (confirmed_flush_lsn - '0/0')::bigint, active, wal_status = 'lost',"
            + " safe_wal_size, " + HOLDER + " FROM pg_replication_slots WHERE slot_name = ?";

    private static final String DROP = "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
            + " WHERE slot_name = ? AND database = current_database()";

    /** Tables by the names that the catalog of the writer has for them. */
    static final String OF_TABLES = " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " JOIN unnest(?::text[]) AS wanted(name) ON wanted.name = n.nspname || '.' || c.relname";

    private static final String ALL_OPERATIONS = "p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate";

    /** Whether a publication leaves rows or columns of a table out, as it may from PostgreSQL 15 on. */
    static final String LEAVES_OUT = "(to_jsonb(r) ->> 'prqual' IS NOT NULL OR to_jsonb(r) ->> 'prattrs' IS NOT NULL)";

    /** Whether rows of other tables are rows of a table too: the stream has their changes under the other names. */
    static final String IS_INHERITED = "EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid)";

    /** Whether updates and deletes send the former value of a column. An identity that is deferrable counts as none. */
    static final String IS_SENT = "(c.relreplident = 'f' OR EXISTS (SELECT FROM pg_index i"
            + " WHERE i.indrelid = c.oid AND i.indimmediate AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1])"
            + " AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE false END))";

    /**
     * The indexes of constraints that hold a column but are checked behind each statement or later, so that one
     * statement can swap the column between rows: for a moment two rows have the same key, and the stream deletes the
     * wrong one. None where a unique index that is checked at each row holds the column as well, unless it is wider.
     * Where such indexes hold each column of a constraint, perhaps none holds them together: then one with other
     * columns counts only where it is the primary key.
     */
    static final String DEFERRED = " FROM pg_index d WHERE d.indrelid = c.oid AND d.indisunique AND NOT d.indimmediate"
            + " AND a.attnum = ANY (d.indkey[0:d.indnkeyatts - 1]) AND NOT EXISTS (WITH k AS (SELECT u.indisprimary,"
            + " u.indkey[0:u.indnkeyatts - 1] AS own, d.indkey[0:d.indnkeyatts - 1] AS other FROM pg_index u"
            + " WHERE u.indrelid = c.oid AND u.indisunique AND u.indimmediate AND u.indisvalid AND u.indpred IS NULL)"
            + " SELECT FROM k WHERE a.attnum = ANY (own) AND (own <@ other OR NOT own @> other AND (indisprimary"
            + " OR NOT other <@ ARRAY(SELECT unnest(o.own) FROM k o WHERE NOT o.own @> o.other))))";

    /**
     * A column of the same name in its place has another number, as has a table. A table that was taken out of the
     * publication and put in again has another number there.
     */
    private static final String COLUMNS = "SELECT wanted.name, a.attname, format_type(a.atttypid, a.atttypmod),"
            + " a.atthasdef OR a.atthasmissing OR a.attidentity <> '' OR a.attgenerated <> '', c.relfilenode::bigint,"
            + " concat_ws('.', c.oid, a.attnum, r.oid), t.tablename IS NOT NULL AND " + ALL_OPERATIONS
            + " AND NOT " + LEAVES_OUT + " AND NOT " + IS_INHERITED + ", a.attgenerated <> '', " + IS_SENT
            + " AND NOT EXISTS (SELECT" + DEFERRED + ")" + OF_TABLES
            + " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
            + " LEFT JOIN pg_publication p ON p.pubname = ?"
            + " LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid AND r.prrelid = c.oid"
            + " LEFT JOIN pg_publication_tables t ON t.pubname = p.pubname AND t.schemaname = n.nspname"
            + " AND t.tablename = c.relname";

    /** Statements to which the planner says how many rows it expects, even of a table that was never analyzed. */
    private static final String PLANS =
            "SELECT wanted.name, format('EXPLAIN SELECT FROM %I.%I', n.nspname, c.relname)" + OF_TABLES;

    private static final Pattern PLANNED_ROWS = Pattern.compile("rows=(\\d+)");

    private static final String IS_PUBLICATION = "SELECT 1 FROM pg_publication WHERE pubname = ?";

    /** A statement that creates the publication; no row where it is there, or no table is. */
    private static final String CREATE = "SELECT format('CREATE PUBLICATION %I FOR TABLE ', ?::text)"
            + " || string_agg(format('%I.%I', n.nspname, c.relname), ', ')" + OF_TABLES
            + " WHERE NOT EXISTS (SELECT FROM pg_publication p WHERE p.pubname = ?) HAVING count(*) > 0";

    /** A statement that publishes the operations that are lacking; no row where none is. */
    private static final String OPERATE = "SELECT format("
            + "'ALTER PUBLICATION %I SET (publish = ''insert, update, delete, truncate'')', p.pubname)"
            + " FROM pg_publication p WHERE p.pubname = ? AND NOT (" + ALL_OPERATIONS + ")";

    /** A statement that publishes the tables that are lacking; no row where none is. */
    private static final String PUBLISH = "SELECT format('ALTER PUBLICATION %I ADD TABLE ', p.pubname)"
            + " || string_agg(format('%I.%I', n.nspname, c.relname), ', ')"
            + OF_TABLES + " CROSS JOIN pg_publication p WHERE p.pubname = ?"
            + " AND NOT EXISTS (SELECT FROM pg_publication_rel r WHERE r.prpubid = p.oid AND r.prrelid = c.oid)"
            + " AND NOT EXISTS (SELECT FROM pg_publication_tables t WHERE t.pubname = p.pubname"
            + " AND t.schemaname = n.nspname AND t.tablename = c.relname) GROUP BY p.pubname";

    private static final String TRANSACTION = "SELECT pg_current_xact_id()::text::bigint";

    private static final String OLDEST = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

    private static final String ADVANCE = "SELECT pg_replication_slot_advance(slot_name, '0/0'::pg_lsn + ?::numeric)"
            + " FROM pg_replication_slots WHERE slot_name = ? AND confirmed_flush_lsn < '0/0'::pg_lsn + ?::numeric";

    private static final String MARK = "SELECT pg_logical_emit_message(true, ?, ?)";

    private final Connector connector;
    private final String slot;
    private final String publication;
    private final String prefix;
    private Published published = new Published(Set.of(), 0);

    /**
     * Tables that are published.
     *
     * @param since number of a transaction after which they were
     */
    private record Published(Set<String> tables, long since) {}

    /**
     * A database.
     *
     * @param settings how to reach it, by Debezium's names without {@code database.}
     * @param prefix of the messages that are put into the stream
     */
    public PostgresDatabase(Map<String, String> settings, String slot, String publication, String prefix) {
        this.connector = connector(settings);
        this.slot = slot;
        this.publication = publication;
        this.prefix = prefix;
    }

    /**
     * A connection.
     *
     * @param settings {@code hostname}, {@code port}, {@code dbname}, {@code user}, {@code password}, {@code
     *     sslmode} and {@code driver.*}, as Debezium names them behind {@code database.}
     * @see <a href="https://jdbc.postgresql.org/documentation/use/">settings of the driver</a>
     */
    private static Connector connector(Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(Map.of("ApplicationName", "tidemark source", "connectTimeout", "10", "socketTimeout", "30"));
        for (String name : new String[] {"user", "password", "sslmode", "sslcert", "sslkey", "sslrootcert"}) {
            String value = settings.get(name);
            if (value != null) {
                properties.put(name, value);
            }
        }
        String url = "jdbc:postgresql://" + settings.getOrDefault("hostname", "127.0.0.1") + ":"
                + settings.getOrDefault("port", "5432") + "/" + settings.getOrDefault("dbname", "");
        return new Connector(url, properties, settings);
    }

    private static String[] names(Collection<String> tables) {
        return tables.toArray(String[]::new);
    }

    @Override
    public Position.Identity identity() throws DatabaseException {
        return connector
                .rows(IDENTITY, row -> new Position.Identity(row.getString(1), row.getLong(2)))
                .get(0);
    }

    @Override
    public Optional<Slot> slot() throws DatabaseException {
        Optional<Map.Entry<String, Slot>> found =
                connector.rows(SLOT, row -> Map.entry(row.getString(5), slot(row)), slot).stream()
                        .findFirst();
        String holder = found.map(Map.Entry::getKey).orElse("");
        if (!holder.isEmpty()) {
            throw new DatabaseException("replication slot " + slot + " is that of " + holder
                    + ", and no other one in the cluster can have its name; set slot.name to another name");
        }
        return found.map(Map.Entry::getValue);
    }

    private static Slot slot(ResultSet row) throws SQLException {
        long confirmed = row.getLong(1);
        boolean active = row.getBoolean(2);
        boolean lost = row.getBoolean(3);
        long safe = row.getLong(4);
        return new Slot(confirmed, active, lost, row.wasNull() ? Optional.empty() : Optional.of(safe));
    }

    @Override
    public void publish(Collection<String> tables) throws DatabaseException {
        execute(CREATE, publication, names(tables), publication);
        execute(OPERATE, publication);
        execute(PUBLISH, names(tables), publication);
        Set<String> unpublished = columns(tables).unpublished();
        if (!unpublished.isEmpty()) {
            throw new DatabaseException("publication " + publication + " does not publish all changes of "
                    + String.join(", ", new TreeSet<>(unpublished))
                    + "; a table from which others inherit is not followed");
        }
    }

    /** Executes the statement that a query gives. */
    private void execute(String query, Object... parameters) throws DatabaseException {
        for (String statement : connector.rows(query, row -> row.getString(1), parameters)) {
            connector.ask(connection -> execute(connection, statement));
        }
    }

    @Override
    public void prepareSnapshot() throws DatabaseException {
        connector.each(DROP, row -> {}, slot);
    }

    @Override
    public boolean canAddTables() throws DatabaseException {
        return !connector.rows(IS_PUBLICATION, row -> true, publication).isEmpty();
    }

    /**
     * A transaction that has changed a new table before it was published is not in the stream, so it must have ended
     * before the table is read. The stream begins where the slot is, so it must not be before the last commit.
     */
    @Override
    public synchronized Optional<String> prepareAdding(Collection<String> all, long base) throws DatabaseException {
        publish(all);
        if (!published.tables().equals(Set.copyOf(all))) {
            published = new Published(Set.copyOf(all), number(TRANSACTION));
        }
        if (number(OLDEST) <= published.since()) {
            return Optional.of("transactions have not ended that began before the new tables were published");
        }
        connector.each(ADVANCE, row -> {}, base, slot, base);
        return Optional.empty();
    }

    private static boolean execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    private long number(String sql) throws DatabaseException {
        return connector.rows(sql, row -> row.getLong(1)).get(0);
    }

    @Override
    public Optional<String> lost(String offset) {
        return Optional.empty();
    }

    @Override
    public boolean streamsColumns() {
        return true;
    }

    @Override
    public List<String> oddities(Collection<String> tables) throws DatabaseException {
        List<String> found = new ArrayList<>();
        columns(tables)
                .generated()
                .forEach((table, names) -> names.forEach(name -> found.add("column " + table + "." + name
                        + " is generated; PostgreSQL does not send it, so rows are without it")));
        return found;
    }

    @Override
    public Columns columns(Collection<String> tables) throws DatabaseException {
        SortedMap<String, Columns.Column> columns = new TreeMap<>();
        Map<String, Long> files = new HashMap<>();
        Set<String> unpublished = new HashSet<>();
        connector.each(
                COLUMNS,
                row -> {
                    String table = row.getString(1);
                    files.put(table, row.getLong(5));
                    columns.put(
                            table + "." + row.getString(2),
                            new Columns.Column(
                                    table,
                                    row.getString(3),
                                    row.getBoolean(4),
                                    0,
                                    row.getString(6),
                                    row.getBoolean(8),
                                    row.getBoolean(9)));
                    if (!row.getBoolean(7)) {
                        unpublished.add(table);
                    }
                },
                names(tables),
                publication);
        return new Columns(columns, files, unpublished);
    }

    /** What {@code tidemark source check} judges. */
    public DatabaseFacts look(Collection<String> tables) throws DatabaseException {
        return DatabaseLook.look(connector, tables, publication);
    }

    @Override
    public Map<String, Long> estimates(Collection<String> tables) throws DatabaseException {
        Map<String, String> plans = new HashMap<>();
        connector.each(PLANS, row -> plans.put(row.getString(1), row.getString(2)), (Object) names(tables));
        Map<String, Long> estimates = new HashMap<>();
        for (Map.Entry<String, String> plan : plans.entrySet()) {
            estimates.put(
                    plan.getKey(),
                    connector.rows(plan.getValue(), PostgresDatabase::planned).get(0));
        }
        return estimates;
    }

    private static long planned(ResultSet row) throws SQLException {
        Matcher rows = PLANNED_ROWS.matcher(row.getString(1));
        return rows.find() ? Long.parseLong(rows.group(1)) : 0;
    }

    @Override
    public void mark(byte[] content) throws DatabaseException {
        connector.each(MARK, row -> {}, prefix, content);
    }

    @Override
    public void close() {
        connector.close();
    }
}
