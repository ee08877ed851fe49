package dev.tidemark.writer.postgres;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.leader.TermHolder;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;

/**
 * A PostgreSQL that several writers reach, as far as the row of the writer decides what they do. Each statement is a
 * transaction. A connection may be lost before a statement or after it, and a statement may be carried out later,
 * when its client has long given it up.
 */
public final class InMemoryPostgres {
    private final InMemoryDisk disk;
    private final InMemoryFactStore facts;
    private final Nature nature;
    private final Deque<Late> late = new ArrayDeque<>();
    private final List<FakeConnection> connections = new ArrayList<>();
    private Row row = new Row(0, "", "", "", 0, 0, new CopyIdentity("1", 1), Optional.empty());
    private CopyIdentity identity = row.noted();
    private boolean away;

    private record Late(FakeConnection connection, Statement<?> statement) {}

    /** What becomes of a statement. */
    public enum Fate {
        DONE,
        LOST_BEFORE,
        LOST_AFTER,
        DONE_LATE
    }

    /** What goes wrong. By default, nothing does. */
    public interface Nature {
        default Fate fate() {
            return Fate.DONE;
        }

        /** Whether the oldest statement that is late is carried out now. */
        default boolean lateOneComes() {
            return false;
        }

        /** Whether a commit is carried out only where the row of the writer is as its fence says. */
        default boolean checksTheRow() {
            return true;
        }

        /** Whether a failed commit is looked for before the next one, and not taken for one that was not done. */
        default boolean findsOutWhatBecameOfACommit() {
            return true;
        }

        /** What the clock of the server shows. */
        default Instant time() {
            return Instant.EPOCH;
        }

        /**
         * A batch is about to be committed, by the holder of the right or not.
         *
         * @param last the last commit
         */
        default void commits(FactBatch batch, RowVersion last, boolean byTheHolder) {
            // Does nothing unless it is overridden.
        }
    }

    /** The row of the writer, but for the last commit, which the disk has. */
    record Row(
            long term,
            String holder,
            String url,
            String place,
            long renewals,
            long moves,
            CopyIdentity noted,
            Optional<Duration> clockAhead) {
        private Row taken(String by, String at, String in) {
            return new Row(term + 1, by, at, in, 0, moves + 1, noted, clockAhead);
        }

        private Row nextTerm() {
            return new Row(term + 1, holder, url, place, renewals, moves + 1, noted, clockAhead);
        }

        private Row renewed() {
            return new Row(term, holder, url, place, renewals + 1, moves + 1, noted, clockAhead);
        }

        Row moved() {
            return new Row(term, holder, url, place, renewals, moves + 1, noted, clockAhead);
        }

        Row noting(CopyIdentity copy) {
            return new Row(term, holder, url, place, renewals, moves + 1, copy, clockAhead);
        }

        Row withClockAhead(Duration ahead) {
            return new Row(term, holder, url, place, renewals, moves, noted, Optional.of(ahead));
        }

        String ctid() {
            return "(0," + moves + ")";
        }
    }

    /** All that a backup has. */
    public static final class Copy {
        private final InMemoryDisk disk;
        private final Row row;

        private Copy(InMemoryDisk disk, Row row) {
            this.disk = disk;
            this.row = row;
        }

        public InMemoryDisk disk() {
            return disk;
        }
    }

    /** What a statement does in the server. */
    @FunctionalInterface
    interface Statement<T> {
        T run() throws SQLException;
    }

    public InMemoryPostgres(InMemoryDisk disk, Nature nature) {
        this.disk = disk;
        this.facts = new InMemoryFactStore(disk);
        this.nature = nature;
    }

    /** A process that opens the database. */
    public InMemoryPostgresDatabase open() {
        return new InMemoryPostgresDatabase(this, disk, nature);
    }

    /** Who holds the right to commit; empty before the first time. */
    public synchronized Optional<TermHolder> holder() {
        return row.term() == 0
                ? Optional.empty()
                : Optional.of(new TermHolder(row.term(), row.url(), row.place(), signs()));
    }

    /** From now on the server answers nobody, or answers again. */
    public synchronized void away(boolean now) {
        away = now;
    }

    /**
     * The server is killed and recovers. Of the writes that nobody waited for, some are gone.
     *
     * @param lost how many, at most {@link InMemoryDisk#unsynced()}
     */
    public synchronized void restart(int lost) {
        late.clear();
        connections.forEach(FakeConnection::close);
        connections.clear();
        disk.crash(lost);
    }

    public synchronized Copy copy() {
        return new Copy(disk.copy(), row);
    }

    /**
     * The server is killed, and has what a copy has when it comes back.
     *
     * @param otherTimeline whether it says so, as after a recovery to a point in time
     */
    public synchronized void putBack(Copy copy, boolean otherTimeline) {
        restart(0);
        disk.putBack(copy.disk);
        row = copy.row;
        identity = new CopyIdentity(identity.system(), identity.timeline() + (otherTimeline ? 1 : 0));
    }

    /** Makes connections, each of which is looked at before it is used. */
    DataSource through(ConnectionGuard guard) {
        return (DataSource) Proxy.newProxyInstance(
                InMemoryPostgres.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, given) -> {
                    Connection connection = connect();
                    guard.accept(connection);
                    return connection;
                });
    }

    private synchronized Connection connect() throws SQLException {
        requireThere();
        FakeConnection connection = new FakeConnection(this::answer);
        connections.add(connection);
        return connection.jdbc();
    }

    /** Carries a statement out, or breaks the connection off. */
    synchronized <T> T run(FakeConnection connection, Statement<T> statement) throws SQLException {
        requireThere();
        while (!late.isEmpty() && nature.lateOneComes()) {
            late.remove().statement().run();
        }
        if (!connection.isOpen()) {
            throw FakeConnection.lost("the connection is closed");
        }
        Fate fate = nature.fate();
        if (fate == Fate.DONE) {
            return statement.run();
        }
        connection.close();
        if (fate == Fate.LOST_AFTER) {
            statement.run();
        } else if (fate == Fate.DONE_LATE) {
            late.add(new Late(connection, statement));
        }
        throw FakeConnection.lost("the connection was lost: " + fate);
    }

    /** Whether a process has the right to write. */
    public boolean isHeldBy(String name) {
        return row().holder().equals(name);
    }

    /** The row as statements see it. They run one by one, so each may change it. */
    Row row() {
        return row;
    }

    void change(Row next) {
        row = next;
    }

    CopyIdentity identity() {
        return identity;
    }

    /** Whether the row is as a fence says. */
    boolean isAt(CommitSession.Fence fence) {
        return row.ctid().equals(fence.place()) && row.term() == fence.term();
    }

    RowVersion lastCommit() {
        return facts.lastCommit().version();
    }

    private void requireThere() throws SQLException {
        if (away) {
            throw FakeConnection.lost("the database is away");
        }
    }

    private List<List<Object>> answer(FakeConnection connection, String sql, List<Object> given) throws SQLException {
        return run(connection, () -> switch (sql) {
            case ServerCheck.SETTINGS -> List.of(List.of(170_000, "UTF8", false, "on", "on", "on", ""));
            case OwnConnection.IDENTIFY -> List.of(List.of(connection.number(), ""));
            case OwnConnection.END -> {
                late.removeIf(one -> one.connection().number() == (Long) given.get(0));
                yield List.of(List.of(true));
            }
            case ServerCheck.IDENTITY -> List.of(List.of(identity.system(), identity.timeline()));
            case ConnectionGuard.POSITION ->
                List.of(List.of(lastCommit().epoch(), lastCommit().sequence(), row.term(), row.renewals()));
            case CommitSession.HOLDER -> List.of(List.of(row.term(), row.url(), row.place(), signs()));
            case CommitSession.FIND -> List.of(List.of(row.ctid()));
            case CommitSession.RENEW -> row.holder().equals(given.get(0)) ? renewed() : List.of();
            case CommitSession.NEXT_TERM -> row.holder().equals(given.get(0)) ? changed(row.nextTerm()) : List.of();
            case CommitSession.TAKE ->
                given.subList(0, 2).equals(List.of(row.term(), signs()))
                        ? changed(row.taken((String) given.get(2), (String) given.get(3), (String) given.get(4)))
                        : List.of();
            default -> throw new PSQLException("unknown: " + sql, PSQLState.SYNTAX_ERROR);
        });
    }

    private long signs() {
        return row.renewals() + lastCommit().sequence();
    }

    private List<List<Object>> renewed() {
        row = row.renewed();
        return List.of(List.of(row.term(), row.renewals()));
    }

    private List<List<Object>> changed(Row next) {
        row = next;
        return List.of(List.of(row.term(), lastCommit().epoch(), lastCommit().sequence(), row.ctid()));
    }
}
