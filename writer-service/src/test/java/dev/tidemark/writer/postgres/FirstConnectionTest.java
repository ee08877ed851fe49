package dev.tidemark.writer.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

import dev.tidemark.writer.database.FactsSettings;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

final class FirstConnectionTest {
    private static final Duration SHORT = Duration.ofMillis(10);

    /** A server that fails in that way, one time after the other. */
    private static final class Failing extends PGSimpleDataSource {
        private static final long serialVersionUID = 1L;

        private final transient Deque<String> states;

        Failing(String... states) {
            this.states = new ArrayDeque<>(List.of(states));
        }

        @Override
        public java.sql.Connection getConnection() throws SQLException {
            String state = states.size() > 1 ? states.removeFirst() : states.getFirst();
            throw new SQLException("failed with " + state, state);
        }
    }

    @Test
    void waitsForAServerThatStartsUntilItRefusesForGood() {
        assertThatThrownBy(() -> use(new Failing("08001", "57P03", "28P01"), Duration.ofMinutes(1)))
                .hasMessage("failed with 28P01");
    }

    @Test
    void givesUpAtOnceWhereWaitingHelpsNobody() {
        assertThatThrownBy(() -> use(new Failing("28P01", "57P03"), Duration.ofMinutes(1)))
                .hasMessage("failed with 28P01");
    }

    @Test
    void givesUpAfterItsPatience() {
        assertThatThrownBy(() -> use(new Failing("08001"), SHORT)).hasMessage("failed with 08001");
    }

    @ParameterizedTest(name = "{0}, arrives: {1}")
    @CsvSource({
        "current_setting('server_version_num'), false",
        "pg_control_system, false",
        "CREATE SCHEMA tidemark, true",
        "COMMIT, false",
        "COMMIT, true"
    })
    void aDatabaseWhoseFirstConnectionBreaksIsOpenedAgain(String statement, boolean arrives) throws Exception {
        TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);
        FactsSettings settings = server.database();
        try (FlakyProxy proxy = new FlakyProxy(server.port())) {
            proxy.breakAt(statement, arrives);

            try (PostgresFactDatabase database = PostgresFixture.open(proxy.through(settings))) {
                assertThat(proxy.isBroken()).isTrue();
                database.facts().commit(batch(put(1, 1, "a")));
                assertThat(FencingTest.sequences(database)).containsExactly(1L);
            }
        } finally {
            server.giveBack(settings);
        }
    }

    @Test
    void readsGoOnWhereTheFirstConnectionForThemBreaks() throws Exception {
        TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);
        FactsSettings settings = server.database();
        try (FlakyProxy proxy = new FlakyProxy(server.port())) {
            proxy.breakAt("SHOW TRANSACTION ISOLATION LEVEL", false);
            try (PostgresFactDatabase database = PostgresFixture.open(proxy.through(settings))) {
                await().until(proxy::isBroken);

                assertThat(database.facts().scan("customers", null, 1, 1 << 20).rows())
                        .isEmpty();
            }
        } finally {
            server.giveBack(settings);
        }
    }

    private static void use(DataSource server, Duration patience) throws Exception {
        FirstConnection.use(server, patience, connection -> fail("expected no connection"));
    }
}
