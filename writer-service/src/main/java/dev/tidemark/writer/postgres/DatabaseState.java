package dev.tidemark.writer.postgres;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.commit.FactsUnreadableException;

/** What is wrong with the database, as this process knows it. For any thread. */
final class DatabaseState {
    private static final Logger LOGGER = LoggerFactory.getLogger(DatabaseState.class);

    /** PostgreSQL found data or an index corrupted. */
    private static final Set<String> DAMAGE = Set.of("XX001", "XX002");

    private final FactsDamage damage;
    private final AtomicReference<@Nullable String> ended = new AtomicReference<>();

    DatabaseState(FactsDamage damage) {
        this.damage = damage;
    }

    /** Records why this process may not write any more; the first reason is kept. */
    FactsUnavailableException end(String why) {
        if (ended.compareAndSet(null, why)) {
            LOGGER.error("No write is taken any more: {}", why);
        }
        return new FactsUnavailableException(why);
    }

    /** The same where the row of the writer is not as this process left it. */
    FactsUnavailableException displaced() {
        return end("another writer has taken the right to commit to these fact tables, or they were put back");
    }

    /** Why this process may not write any more; empty while it may. */
    Optional<String> ended() {
        return Optional.ofNullable(ended.get());
    }

    /** Whether the connection is gone, so that the same may succeed on another one. */
    static boolean isConnectionLost(SQLException e) {
        String code = String.valueOf(e.getSQLState());
        return code.startsWith("08") || code.startsWith("57P");
    }

    /** The failure of a statement as the ports report it. */
    RuntimeException failure(SQLException e) {
        String what = String.valueOf(e.getMessage());
        if (DAMAGE.contains(String.valueOf(e.getSQLState()))) {
            damage.found(what);
            return new FactsUnreadableException(what, e);
        }
        return new FactsUnavailableException("the database of the fact tables failed at a statement: " + what, e);
    }
}
