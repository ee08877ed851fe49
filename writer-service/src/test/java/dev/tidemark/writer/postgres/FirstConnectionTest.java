package dev.tidemark.writer.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThatThrownBy(() -> FirstConnection.of(new Failing("08001", "57P03", "28P01"), Duration.ofMinutes(1)))
                .hasMessage("failed with 28P01");
    }

    @Test
    void givesUpAtOnceWhereWaitingHelpsNobody() {
        assertThatThrownBy(() -> FirstConnection.of(new Failing("28P01", "57P03"), Duration.ofMinutes(1)))
                .hasMessage("failed with 28P01");
    }

    @Test
    void givesUpAfterItsPatience() {
        assertThatThrownBy(() -> FirstConnection.of(new Failing("08001"), SHORT))
                .hasMessage("failed with 08001");
    }
}
