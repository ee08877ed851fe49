package dev.tidemark.writer.postgres;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Carries the commit clock from one writer to the next by the clock of the server, which all of them can read. A
 * writer may have been ahead of its wall clock; the next one, by another, would find changes of the one before
 * younger than they are.
 *
 * <p>For any thread.
 */
final class SharedClock {
    private static final String AHEAD = "clock.ahead";
    private static final String NOW = "SELECT clock_timestamp()";

    /** A smaller difference may come from the way to the server. */
    private static final Duration LEAST_MOVE = Duration.ofMillis(50);

    private final OwnConnection connection;
    private final NamedValues values;

    /** How far the clock was ahead of that of the server, as this process kept it last. */
    private @Nullable Duration kept;

    SharedClock(OwnConnection connection, NamedValues values) {
        this.connection = connection;
        this.values = values;
    }

    Optional<Instant> continued() {
        return values.get(AHEAD).map(Duration::parse).map(serverTime()::plus);
    }

    /** Keeps a clock, where one of the two was set since it was kept last. */
    synchronized void keep(Clock clock) {
        // The server's time first, or it would look as if less time had passed.
        Instant server = serverTime();
        Duration ahead = Duration.between(server, clock.instant());
        Duration before = kept;
        if (before == null || ahead.minus(before).abs().compareTo(LEAST_MOVE) > 0) {
            values.put(AHEAD, ahead.toString(), true);
            kept = ahead;
        }
    }

    private Instant serverTime() {
        return connection.call(open -> Statements.one(open, NOW, row -> Rows.time(row, 1)));
    }
}
