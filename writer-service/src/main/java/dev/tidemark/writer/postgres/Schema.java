package dev.tidemark.writer.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Set;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.recovery.NewerFormatException;

/** Makes the schema where it is absent, and requires that it has a format that is known. */
final class Schema {
    private static final int FORMAT = 2;
    private static final int ATTEMPTS = 3;

    /** What a statement that creates something fails with where another session creates it at the same time. */
    private static final Set<String> CREATED_MEANWHILE = Set.of("23505", "42P06", "42P07");

    private static final String HAS_WRITER = "SELECT to_regclass('tidemark.writer') IS NOT NULL";
    private static final String HAS_SCHEMA = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'tidemark')";
    private static final String FIRST = "INSERT INTO tidemark.writer VALUES" + " (1, " + FORMAT
            + ", 0, '', '', '', 0, 1, 0, 'epoch', 'epoch', ?, ?)";

    /** What format 2 has and format 1 had not: placements. */
    private static final String FROM_1 = "ALTER TABLE tidemark.outbox_0 ADD COLUMN placements bytea;"
            + " ALTER TABLE tidemark.outbox_1 ADD COLUMN placements bytea;"
            + " ALTER TABLE tidemark.outbox_2 ADD COLUMN placements bytea;"
            + " ALTER TABLE tidemark.tombstones ADD COLUMN derived text NOT NULL DEFAULT '',"
            + " DROP CONSTRAINT tombstones_pkey, ADD PRIMARY KEY (deleted_at, sequence, derived, partition);"
            + " UPDATE tidemark.writer SET format = 2 WHERE id = 1";

    private static final String READ_FORMAT = "SELECT format FROM tidemark.writer WHERE id = 1";
    private static final String MARKS = "INSERT INTO tidemark.marks VALUES (1, 0, 0)";

    private Schema() {}

    /** Makes what is lacking, and reads the tables. */
    static void prepare(Connection connection, CopyIdentity copy, Catalog catalog, FactTables tables)
            throws SQLException, CatalogDisagreesException, NewerFormatException {
        connection.setAutoCommit(false);
        for (int attempt = 1; ; attempt++) {
            try {
                create(connection, copy);
                tables.add(connection, catalog);
                connection.commit();
                return;
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !CREATED_MEANWHILE.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
                connection.rollback();
            }
        }
    }

    private static void create(Connection connection, CopyIdentity copy) throws SQLException, NewerFormatException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(PostgresServer.IDLE_FOR_SECONDS);
            if (isTrue(connection, HAS_WRITER)) {
                requireFormat(connection, statement);
                return;
            }
            if (!isTrue(connection, HAS_SCHEMA)) {
                statement.execute("CREATE SCHEMA tidemark");
            }
            statement.execute(script());
            statement.execute(MARKS);
            Statements.update(connection, FIRST, copy.system(), copy.timeline());
        }
    }

    private static boolean isTrue(Connection connection, String sql) throws SQLException {
        return Statements.one(connection, sql, row -> row.getBoolean(1));
    }

    private static void requireFormat(Connection connection, Statement statement)
            throws SQLException, NewerFormatException {
        // Each commit waits for a lock of this row, so it is locked only where the format has to change.
        int found = format(connection, READ_FORMAT);
        if (found == 1 && format(connection, READ_FORMAT + " FOR UPDATE") == 1) {
            statement.execute(FROM_1);
        } else if (found != 1 && found != FORMAT) {
            throw new NewerFormatException("the schema tidemark of the database", FORMAT, found);
        }
    }

    private static int format(Connection connection, String sql) throws SQLException {
        return Statements.one(connection, sql, row -> row.getInt(1));
    }

    private static String script() {
        try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream("schema.sql"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
