package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.database.FactsSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** A statement whose connection was lost takes no effect after a later one. */
class OwnConnectionTest {
    private static final String LONG = "SELECT pg_sleep(30), 'marked'";
    private static final String AT_WORK =
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND state = 'active'"
                    + " AND pid <> pg_backend_pid()";

    private final TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);
    private final FactsSettings settings = server.database();

    @AfterEach
    void giveBack() {
        server.giveBack(settings);
    }

    @Test
    void theServerEndsAConnectionThatWasLostBeforeAnotherOneIsUsed() throws Exception {
        DatabaseState state = new DatabaseState(new FactsDamage());
        try (FlakyProxy proxy = new FlakyProxy(server.port());
                OwnConnection connection =
                        new OwnConnection(new PostgresServer(proxy.through(settings), opened -> {}), state);
                Connection observer = server.connect(settings)) {
            proxy.breakAt("marked", true);
            assertThatThrownBy(() -> connection.call(open -> number(open, LONG)))
                    .isInstanceOf(FactsUnavailableException.class);
            await().until(() -> number(observer, AT_WORK) == 1);

            assertThat(connection.<Long>call(open -> number(open, AT_WORK))).isZero();
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
