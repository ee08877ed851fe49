package dev.tidemark.writer.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Carries the commit clock from one writer to the next by the clock of the server, which all of them can read. A
 * writer may have been ahead of its wall clock; the next one, by another, would find changes of the one before
 * younger than they are.
 */
record SharedClock(OwnConnection connection, NamedValues values) {
    private static final String AHEAD = "clock.ahead";
    private static final String NOW = "SELECT clock_timestamp()";

    Optional<Instant> continued() {
        return values.get(AHEAD).map(Duration::parse).map(serverTime()::plus);
    }

    void keep(Clock clock) {
        // The server's time first, or it would look as if less time had passed.
        Instant server = serverTime();
        values.put(AHEAD, Duration.between(server, clock.instant()).toString(), true);
    }

    private Instant serverTime() {
        return connection.call(open -> {
            try (PreparedStatement statement = open.prepareStatement(NOW);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getObject(1, OffsetDateTime.class).toInstant();
            }
        });
    }
}
