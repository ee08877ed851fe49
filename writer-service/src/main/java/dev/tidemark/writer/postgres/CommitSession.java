package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.leader.TermHolder;

/**
 * The connection that commits, and the right to commit. Each commit requires the term of this session and the commit
 * before it, so one that another writer or another connection made in between is noticed.
 *
 * <p>When the connection breaks during a commit, the server may still be carrying it out. The session then connects
 * again and takes another term, which waits for that commit to end one way or the other, and keeps it from succeeding
 * later. Only then is the row believed.
 */
final class CommitSession implements CommitTerms, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(CommitSession.class);
    private static final Duration STEP = Duration.ofMillis(100);
    private static final int ATTEMPTS = 2;
    private static final int FINDS = 3;

    /** Commits count as renewals do: a renewal waits for a commit that is slow. */
    static final String HOLDER = "SELECT term, url, place, renewals + sequence FROM tidemark.writer WHERE id = 1";

    /** Waits for changes of {@link NamedValues} that are under way, as commits need not. */
    static final String TAKE = "WITH seen AS MATERIALIZED (SELECT id FROM tidemark.writer WHERE id = 1 AND term = ?"
            + " AND renewals + sequence = ? FOR UPDATE)"
            + " UPDATE tidemark.writer AS w SET term = w.term + 1, holder = ?, url = ?, place = ?, renewals = 0"
            + " FROM seen WHERE w.id = seen.id RETURNING w.term, w.epoch, w.sequence, w.ctid::text";

    static final String FIND = "SELECT ctid::text FROM tidemark.writer WHERE id = 1";
    static final String RENEW = "UPDATE tidemark.writer SET renewals = renewals + 1 WHERE id = 1 AND holder = ?"
            + " RETURNING term, renewals";
    static final String NEXT_TERM = "UPDATE tidemark.writer SET term = term + 1 WHERE id = 1 AND holder = ?"
            + " RETURNING term, epoch, sequence, ctid::text";

    private final String holder = UUID.randomUUID().toString();
    private final OwnConnection committing;
    private final OwnConnection renewing;
    private final DatabaseState state;
    private final ConnectionGuard guard;
    private final Duration patience;
    private final Runnable taken;
    private Fence fence = new Fence(0, new RowVersion(1, 0), "");

    /** What a commit whose outcome is not known would have made the last one. */
    private @Nullable RowVersion pending;

    /** Whether the open connection is the one of the term. */
    private boolean settled;

    private volatile boolean uncertain;

    /**
     * What a statement of the committer requires of the row of the writer.
     *
     * @param term of this session; 0 before it has one
     * @param last the last commit
     * @param place where the row was last seen in its table. While a long transaction is open, the row has a version
     *     for each commit since, and to look through all of them would take longer with each commit
     */
    record Fence(long term, RowVersion last, String place) {}

    /** A statement of the committer. */
    @FunctionalInterface
    interface Fenced<T> {
        T on(Connection connection, Fence fence) throws SQLException;
    }

    /**
     * A session that may not commit yet.
     *
     * @param patience how long a commit whose connection was lost waits for the server
     * @param taken run when the right was taken, before anything is committed
     */
    CommitSession(DataSource server, DatabaseState state, ConnectionGuard guard, Duration patience, Runnable taken) {
        this.committing = new OwnConnection(server, state);
        this.renewing = new OwnConnection(server, state);
        this.state = state;
        this.guard = guard;
        this.patience = patience;
        this.taken = taken;
    }

    /** Names this session among those that held the right. */
    String holderId() {
        return holder;
    }

    @Override
    public Optional<TermHolder> holder() {
        return renewing.call(connection -> Statements.first(
                        connection,
                        HOLDER,
                        row -> new TermHolder(row.getLong(1), row.getString(2), row.getString(3), row.getLong(4))))
                .filter(found -> found.term() > 0);
    }

    @Override
    public synchronized boolean take(Optional<TermHolder> seen, String url, String place) {
        boolean took = renewing.call(connection -> enter(
                connection,
                TAKE,
                seen.map(TermHolder::term).orElse(0L),
                seen.map(TermHolder::renewals).orElse(0L),
                holder,
                url,
                place));
        if (took) {
            LOGGER.info("This writer holds the right to commit, in term {}", fence.term());
            taken.run();
        }
        return took;
    }

    @Override
    public boolean renew() {
        // Read first, because the committer may take another term meanwhile.
        ConnectionGuard.Renewal before = guard.renewed();
        Optional<ConnectionGuard.Renewal> renewal = renewing.call(connection -> Statements.first(
                connection, RENEW, row -> new ConnectionGuard.Renewal(row.getLong(1), row.getLong(2)), holder));
        renewal.ifPresentOrElse(next -> guard.renewed(before, next), state::displaced);
        return renewal.isPresent();
    }

    /**
     * Commits. When this returns, the commit is durable. When it throws, nothing of it was done, unless the server
     * could not be asked; {@link #requireCertain()} then does that. A commit that moves no version, such as the
     * position of a source alone, may be carried out twice, or although this throws.
     *
     * @param through what becomes the last commit
     * @param statement returns the new place of the row; empty where the row was not as the fence says
     */
    synchronized void commit(RowVersion through, Fenced<Optional<String>> statement) {
        for (int attempt = 1; ; attempt++) {
            settle();
            RowVersion before = fence.last();
            try {
                pending = through;
                moveTo(through, committing.raw(connection -> applied(connection, statement)));
                return;
            } catch (SQLException e) {
                boolean lost = DatabaseState.isConnectionLost(e);
                unsettle();
                if (!awaitSettled()) {
                    throw state.failure(e);
                }
                if (!through.equals(before) && fence.last().equals(through)) {
                    LOGGER.info(
                            "The connection was lost while version {} was committed, and it was committed", through);
                    return;
                }
                if (!lost || attempt == ATTEMPTS) {
                    throw state.failure(e);
                }
            }
        }
    }

    /** Carries out a statement of the committer that may be repeated. */
    synchronized <T> T run(Fenced<T> statement) {
        settle();
        try {
            return committing.raw(connection -> statement.on(connection, fence));
        } catch (SQLException e) {
            unsettle();
            throw state.failure(e);
        }
    }

    /** The same for one that returns the new place of the row; empty where another writer has the right. */
    synchronized void runHeld(Fenced<Optional<String>> statement) {
        String place = run((connection, current) -> applied(connection, statement));
        fence = new Fence(fence.term(), fence.last(), place);
    }

    /** Reads; the statement returns nothing where another writer has the right. */
    synchronized <T> T readHeld(Fenced<Optional<T>> statement) {
        Optional<T> found = run(statement);
        requireHeld(found.isPresent());
        return found.get();
    }

    /** Requires that the outcome of the last commit is known, and finds it out where it is not; for any thread. */
    void requireCertain() {
        requireNotEnded();
        if (uncertain) {
            settle();
        }
    }

    /**
     * Requires that this process may still write. What the database holds once another writer has the right is no place
     * in the commit order of this one, which must not announce that it knows of everything before it.
     */
    private void requireNotEnded() {
        state.ended().ifPresent(why -> {
            throw new FactsUnavailableException(why);
        });
    }

    /** Finds out the outcome of the last commit; throws where that is not possible now, or nothing may be written. */
    synchronized void settle() {
        requireNotEnded();
        if (settled && committing.isOpen()) {
            return;
        }
        if (fence.term() == 0) {
            throw new IllegalStateException("Expected the right to commit to be taken first");
        }
        try {
            nextTerm();
        } catch (SQLException e) {
            unsettle();
            throw state.failure(e);
        }
    }

    @Override
    public void close() {
        committing.close();
        renewing.close();
    }

    /** Commits through another connection than that of the term before fail from here on. */
    private void nextTerm() throws SQLException {
        RowVersion before = fence.last();
        RowVersion unknown = pending;
        requireHeld(committing.raw(connection -> enter(connection, NEXT_TERM, holder)));
        RowVersion found = fence.last();
        if (!found.equals(before) && !found.equals(unknown)) {
            throw state.end("the fact tables are at version " + found + ", but this process committed version " + before
                    + " last");
        }
        settled = true;
    }

    /** Takes over the term and the last commit that a statement returns, if it returns any. */
    private boolean enter(Connection connection, String sql, Object... parameters) throws SQLException {
        Optional<Fence> entered = Statements.first(
                connection,
                sql,
                row -> new Fence(row.getLong(1), new RowVersion(row.getLong(2), row.getLong(3)), row.getString(4)),
                parameters);
        entered.ifPresent(next -> {
            fence = next;
            moveTo(next.last(), next.place());
            guard.renewed(new ConnectionGuard.Renewal(next.term(), 0));
        });
        return entered.isPresent();
    }

    private void moveTo(RowVersion version, String place) {
        fence = new Fence(fence.term(), version, place);
        pending = null;
        uncertain = false;
        guard.committed(version);
    }

    private void unsettle() {
        settled = false;
        uncertain = pending != null;
        committing.drop();
    }

    private boolean awaitSettled() {
        try {
            return BoundedWait.until(this::trySettle, patience, STEP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean trySettle() {
        try {
            settle();
            return true;
        } catch (FactsUnavailableException e) {
            LOGGER.debug("What became of a commit cannot be found out yet", e);
            return state.ended().isPresent();
        }
    }

    /** The new place of the row. A renewal moves the row, too, so it is looked for before the right counts as lost. */
    private String applied(Connection connection, Fenced<Optional<String>> statement) throws SQLException {
        Optional<String> place = statement.on(connection, fence);
        for (int finds = 0; place.isEmpty() && finds < FINDS; finds++) {
            String found = Statements.one(connection, FIND, row -> row.getString(1));
            fence = new Fence(fence.term(), fence.last(), found);
            place = statement.on(connection, fence);
        }
        requireHeld(place.isPresent());
        return place.get();
    }

    private void requireHeld(boolean held) {
        if (!held) {
            pending = null;
            throw state.displaced();
        }
    }
}
