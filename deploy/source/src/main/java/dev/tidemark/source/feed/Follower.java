package dev.tidemark.source.feed;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.ServiceProcess;

/**
 * Runs an engine again and again: decides where to begin, takes the source over from any other process by the first
 * batch, and begins again after failures. A step is one run.
 */
public final class Follower implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(Follower.class);

    private final Writer writer;
    private final Database database;
    private final Engine engine;
    private final ColumnHistory columns;
    private final Progress progress;
    private final boolean snapshotOnGap;

    /** Why the tables must be read again. */
    private Optional<String> reload = Optional.empty();

    private volatile @Nullable Session session;
    private volatile @Nullable Ending ending;
    private String complaint = "";
    private List<String> oddities = List.of();

    /**
     * One run.
     *
     * @param tables by their name in the database
     * @param identity of the database that the run began with
     */
    record Session(Map<String, Writer.Followed> tables, Position.Identity identity) {}

    /**
     * Why the process has to end.
     *
     * @param code its exit code
     */
    public record Ending(int code, String why) {
        /** Where changes are lost. */
        public static final int LOST = 1;

        private static Ending lost(String why) {
            return new Ending(
                    LOST, "changes are lost: " + why + ". Run it once with --on-gap=snapshot to read the tables again");
        }
    }

    /**
     * A follower.
     *
     * @param snapshotOnGap whether tables are read again when changes were lost
     */
    public Follower(
            Writer writer,
            Database database,
            Engine engine,
            ColumnHistory columns,
            Progress progress,
            boolean snapshotOnGap) {
        this.writer = writer;
        this.database = database;
        this.engine = engine;
        this.columns = columns;
        this.progress = progress;
        this.snapshotOnGap = snapshotOnGap;
    }

    /** Why the process has to end; empty while it may go on. */
    public Optional<Ending> ending() {
        return Optional.ofNullable(ending);
    }

    /** The run under way. */
    Optional<Session> session() {
        return Optional.ofNullable(session);
    }

    /** Ends the run under way, so that the next one begins with what the catalog has now. */
    void beginAgain() {
        engine.stop();
    }

    @Override
    public String roleName() {
        return "source";
    }

    @Override
    public int doWork() throws InterruptedException {
        if (ending != null) {
            return 0;
        }
        boolean atOnce = false;
        try {
            run(writer.state()).ifPresentOrElse(this::complain, () -> complaint = "");
        } catch (Writer.MovedException e) {
            ending = new Ending(ServiceProcess.REPLACED, String.valueOf(e.getMessage()));
        } catch (Database.DatabaseException | Writer.NothingToKeepException | ReloadException e) {
            complain(String.valueOf(e.getMessage()));
        } catch (Engine.EngineException e) {
            atOnce = failed(e);
        } catch (RuntimeException e) {
            LOGGER.warn("A run failed unexpectedly", e);
            complain(e.toString());
        } finally {
            session = null;
            progress.stopped();
        }
        return atOnce ? 1 : 0;
    }

    /** Returns whether to begin again at once. */
    private boolean failed(Engine.EngineException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof Writer.MovedException) {
                ending = new Ending(ServiceProcess.REPLACED, String.valueOf(cause.getMessage()));
                return false;
            }
            if (cause instanceof ReloadException || cause instanceof Writer.NothingToKeepException) {
                reload = Optional.of(String.valueOf(cause.getMessage()));
                complaint = "";
                return true;
            }
        }
        complain(String.valueOf(e.getMessage()));
        return false;
    }

    /** Reports a failure once for as long as it lasts. */
    private void complain(String why) {
        if (!why.equals(complaint)) {
            progress.warn(why + "; trying again");
            complaint = why;
        }
    }

    /** Follows until that ends; returns what it waits for where it cannot begin. */
    private Optional<String> run(Writer.State state)
            throws InterruptedException, Writer.MovedException, Writer.NothingToKeepException, ReloadException,
                    Database.DatabaseException, Engine.EngineException {
        if (state.tables().isEmpty()) {
            return Optional.of(writer.nothingToFollow());
        }
        Optional<Database.Slot> slot = database.slot();
        if (slot.isPresent() && slot.get().active()) {
            return Optional.of("another process reads from the replication slot");
        }
        List<String> names =
                state.tables().stream().map(Writer.Followed::source).sorted().toList();
        Columns now = database.columns(names).requiring(state.tables());
        Optional<String> refusal = Start.refusal(state, now);
        if (refusal.isPresent()) {
            doubt(state, now);
            return refusal;
        }
        Position.Identity identity = database.identity();
        Optional<Position> stored = Optional.of(state.position())
                .filter(JsonNode::isObject)
                .map(Position::of)
                .map(position -> position.restrictedTo(Start.read(position, state), names));
        Start start = start(stored, state, identity, slot, columns.add(now, names));
        if (start.gap() && !snapshotOnGap) {
            ending = Ending.lost(start.why());
            return Optional.empty();
        }
        if (start.snapshot() instanceof Engine.Snapshot.None) {
            follow(state, start, stored.orElseThrow(), now);
            return Optional.empty();
        }
        Optional<String> wait = publish(start, stored, names);
        if (wait.isEmpty()) {
            Columns published = database.columns(names).requiring(state.tables());
            follow(state, start, reading(start, stored, identity, columns.add(published, names)), published);
        }
        return wait;
    }

    /** Changes that come while tables are refused may lack keys. */
    private void doubt(Writer.State state, Columns now)
            throws InterruptedException, Writer.MovedException, Writer.NothingToKeepException, ReloadException {
        if (state.position().isObject()) {
            Position stored = Position.of(state.position());
            Position doubted = stored.doubting(now.unpublished());
            if (!doubted.equals(stored)) {
                writer.move(state.position(), doubted.toJson(), Optional.empty());
            }
        }
    }

    /** Has the stream bring what a snapshot is followed by; returns what it waits for. */
    private Optional<String> publish(Start start, Optional<Position> stored, List<String> names)
            throws Database.DatabaseException {
        if (start.snapshot() instanceof Engine.Snapshot.Added) {
            return database.prepareAdding(names, stored.orElseThrow().order().base());
        }
        database.publish(names);
        return Optional.empty();
    }

    private static Position reading(
            Start start, Optional<Position> stored, Position.Identity identity, Map<String, String> digests) {
        if (start.snapshot() instanceof Engine.Snapshot.Added added) {
            digests.keySet().retainAll(added.tables());
            return stored.orElseThrow().adding(digests);
        }
        return Position.beforeSnapshot(identity, digests);
    }

    private Start start(
            Optional<Position> stored,
            Writer.State state,
            Position.Identity identity,
            Optional<Database.Slot> slot,
            Map<String, String> digests)
            throws Database.DatabaseException {
        if (reload.isPresent()) {
            return Start.whole(reload.get());
        }
        Start start = Start.decide(stored, state, identity, slot);
        if (start.snapshot() instanceof Engine.Snapshot.Whole) {
            return start;
        }
        return start.snapshot() instanceof Engine.Snapshot.Added && !database.canAddTables()
                ? Start.whole(start.why())
                : onwards(start, stored.orElseThrow(), digests);
    }

    /** How to go on after a position that the state of the database allows, if the stream and its columns do. */
    private Start onwards(Start start, Position from, Map<String, String> digests) throws Database.DatabaseException {
        Optional<String> lost = database.lost(from.offset());
        if (lost.isPresent()) {
            return Start.lost(lost.get());
        }
        boolean known = database.streamsColumns()
                ? from.tables().values().stream().allMatch(table -> leavesRows(table, from, digests))
                : from.unsettled() == 0 && from.columns().equals(digests);
        return known
                ? start
                : Start.whole("columns were changed while no process followed them, or a table was replaced or not"
                        + " published");
    }

    private boolean leavesRows(String table, Position from, Map<String, String> digests) {
        return columns.leavesRows(table, from.columns().getOrDefault(table, ""), digests.getOrDefault(table, ""));
    }

    private void follow(Writer.State state, Start start, Position from, Columns now)
            throws InterruptedException, Writer.MovedException, Writer.NothingToKeepException, ReloadException,
                    Database.DatabaseException, Engine.EngineException {
        Map<String, Writer.Followed> tables = state.bySource();
        List<String> names = tables.keySet().stream().sorted().toList();
        report(database.oddities(names));
        Position position = from;
        JsonNode current = state.position();
        boolean reads = !(start.snapshot() instanceof Engine.Snapshot.None);
        if (reads) {
            progress.began(start.why(), database.estimates(from.unread(tables)));
            position = begin(current, from);
            current = position.toJson();
            if (start.snapshot() instanceof Engine.Snapshot.Whole) {
                database.prepareSnapshot();
            }
        }
        session = new Session(tables, from.identity());
        progress.started(reads);
        engine.run(
                new Engine.Plan(start.snapshot(), position, now, names),
                new Feeder(writer, tables, columns, progress, position, current));
    }

    private void report(List<String> found) {
        if (!found.equals(oddities)) {
            found.forEach(progress::warn);
            oddities = List.copyOf(found);
        }
    }

    /** Takes the source over for a snapshot. */
    private Position begin(JsonNode current, Position position)
            throws InterruptedException, Writer.MovedException, Writer.NothingToKeepException, ReloadException,
                    Database.DatabaseException {
        String first = writer.takeOver(current, position.toJson(), Optional.empty());
        Position reading = position.reading(first);
        writer.move(position.toJson(), reading.toJson(), Optional.empty());
        reload = Optional.empty();
        return reading;
    }
}
