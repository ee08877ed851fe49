package dev.tidemark.writer.postgres;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SecretFile;
import dev.tidemark.writer.database.FactsSettings;

/** Makes connections to the database of the fact tables. The password is read for each of them. */
final class PostgresServer extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;
    private static final int CONNECT_SECONDS = 5;

    /** Longest statement. The client waits a little longer, so that the answer of the server decides. */
    private static final int STATEMENT_SECONDS = 20;

    private static final int SOCKET_SECONDS = 25;

    /** A reader that stops in the middle of a table keeps the server from removing old rows. */
    private static final int IDLE_READER_SECONDS = 300;

    /**
     * For a transaction that locks what others wait for: the server gives it up soon where this process stands still in
     * the middle of it.
     */
    static final String IDLE_FOR_SECONDS = "SET LOCAL idle_in_transaction_session_timeout = '3s'";

    private final transient FactsSettings settings;
    private final transient Check check;

    /** Looks at a connection before it is used. */
    @FunctionalInterface
    interface Check {
        void accept(Connection connection) throws SQLException;
    }

    PostgresServer(FactsSettings settings, Check check) {
        this.settings = settings;
        this.check = check;
        setUrl(settings.url());
        setApplicationName("tidemark-writer");
        setConnectTimeout(CONNECT_SECONDS);
        setLoginTimeout(CONNECT_SECONDS);
        setSocketTimeout(SOCKET_SECONDS);
        setTcpKeepAlive(true);
        setPrepareThreshold(1);
        setReWriteBatchedInserts(false);
        String given = getOptions();
        setOptions((given == null ? "" : given + " ") + options());
    }

    /** The plans of a commit must not depend on statistics that lag behind, and are made once. */
    private static String options() {
        return "-c statement_timeout=" + STATEMENT_SECONDS + "s"
                + " -c idle_in_transaction_session_timeout=" + IDLE_READER_SECONDS + "s"
                + " -c default_transaction_isolation=read\\ committed"
                + " -c default_transaction_read_only=off"
                + " -c plan_cache_mode=force_generic_plan"
                + " -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off"
                + " -c jit=off -c TimeZone=UTC";
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection(settings.user().orElse(getUser()), password());
        boolean checked = false;
        try {
            check.accept(connection);
            checked = true;
            return connection;
        } finally {
            if (!checked) {
                connection.close();
            }
        }
    }

    private @Nullable String password() throws SQLException {
        Optional<Path> file = settings.passwordFile();
        if (file.isEmpty()) {
            return null;
        }
        try {
            return new String(SecretFile.read(file.get()), StandardCharsets.UTF_8).strip();
        } catch (BadSettingsException e) {
            throw new PSQLException(String.valueOf(e.getMessage()), PSQLState.INVALID_PASSWORD, e);
        }
    }
}
