package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.FactsUnavailableException;

/**
 * Looks at each new connection: it must lead to a server that keeps what it acknowledges, to the same copy of the
 * database as before, and to everything that this process has committed. Otherwise the process has to start again, and
 * its start begins a new epoch where commits are lacking.
 *
 * <p>A database that was put back may have all commits and lack what this process has noted beside them, such as that a
 * topic was left out. It has fewer renewals of the right to commit then. So each renewal is looked at too, because a
 * database can be put back below connections that stay open.
 */
final class ConnectionGuard implements PostgresServer.Check {
    static final String POSITION = "SELECT epoch, sequence, term, renewals FROM tidemark.writer WHERE id = 1";

    private final DatabaseState state;
    private volatile @Nullable CopyIdentity identity;
    private volatile @Nullable RowVersion committed;
    private volatile Renewal renewed = new Renewal(0, 0);

    /** How often the right to commit was renewed in a term. */
    record Renewal(long term, long renewals) {
        private boolean isAfter(Renewal other) {
            return term == other.term ? renewals > other.renewals : term > other.term;
        }
    }

    ConnectionGuard(DatabaseState state) {
        this.state = state;
    }

    /** The copy that the process was started with. */
    CopyIdentity identity() {
        CopyIdentity known = identity;
        return known == null ? CopyIdentity.UNKNOWN : known;
    }

    /** Later connections must lead to this copy. */
    void expect(CopyIdentity copy) {
        identity = copy;
    }

    /** Later connections must lead to a database that has this commit. */
    void committed(RowVersion version) {
        committed = version;
    }

    /** Later connections must lead to a database that has this renewal. */
    synchronized void renewed(Renewal renewal) {
        renewed = renewal.isAfter(renewed) ? renewal : renewed;
    }

    /** The last renewal that is known. */
    Renewal renewed() {
        return renewed;
    }

    /** The same for one that was made after another one was known. */
    void renewed(Renewal before, Renewal next) {
        if (!next.isAfter(before)) {
            throw wasPutBack();
        }
        renewed(next);
    }

    @Override
    public void accept(Connection connection) throws SQLException {
        CopyIdentity expected = identity;
        if (expected == null) {
            // The first connection, which the opening looks at.
            return;
        }
        Optional<String> refusal = ServerCheck.refusal(connection);
        if (refusal.isPresent()) {
            throw new PSQLException(refusal.get(), PSQLState.CONNECTION_REJECTED);
        }
        CopyIdentity found = ServerCheck.identity(connection);
        if (found.isOtherThan(expected)) {
            throw state.end(
                    "the server has another copy of the database than before: " + found + " in place of " + expected);
        }
        // Read first, because a commit may end in between.
        requireAll(committed, renewed, connection);
    }

    private void requireAll(@Nullable RowVersion commit, Renewal renewal, Connection connection) throws SQLException {
        record Position(RowVersion version, Renewal renewal) {}
        Position found = Statements.one(
                connection,
                POSITION,
                row -> new Position(
                        new RowVersion(row.getLong(1), row.getLong(2)), new Renewal(row.getLong(3), row.getLong(4))));
        if (commit != null && commit.isAfter(found.version())) {
            throw state.end("the fact tables lack version " + commit + ", which this process committed");
        }
        if (renewal.isAfter(found.renewal())) {
            throw wasPutBack();
        }
    }

    private FactsUnavailableException wasPutBack() {
        return state.end("the database was put back to a time when this process had renewed its right to commit less"
                + " often");
    }
}
