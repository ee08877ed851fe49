package dev.tidemark.source.feed;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;

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
     */
    record Session(Map<String, Writer.Followed> tables) {}

    /**
     * Why the process has to end.
     *
     * @param replaced whether another process follows the source
     */
    public record Ending(boolean replaced, String why) {}

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
            ending = new Ending(true, String.valueOf(e.getMessage()));
        } catch (Database.DatabaseException | Writer.NothingToKeepException e) {
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
                ending = new Ending(true, String.valueOf(cause.getMessage()));
                return false;
            }
            if (cause instanceof ReloadException || cause instanceof Writer.NothingToKeepException) {
                reload = Optional.of(String.valueOf(cause.getMessage()));
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
            throws InterruptedException, Writer.MovedException, Writer.NothingToKeepException,
                    Database.DatabaseException, Engine.EngineException {
        if (state.tables().isEmpty()) {
            return Optional.of(writer.nothingToFollow());
        }
        Position.Identity identity = database.identity();
        Optional<Position> stored =
                Optional.of(state.position()).filter(JsonNode::isObject).map(Position::of);
        Optional<Database.Slot> slot = database.slot();
        if (slot.isPresent() && slot.get().active()) {
            return Optional.of("another process reads from the replication slot");
        }
        List<String> names =
                state.tables().stream().map(Writer.Followed::source).sorted().toList();
        Columns now = database.columns(names);
        Start start = reload.map(why -> new Start(Optional.of(why), false))
                .orElseGet(() -> Start.decide(stored, state, identity, slot));
        if (start.snapshot().isEmpty()) {
            start = onwards(stored.orElseThrow(), now.digest());
        }
        if (start.gap() && !snapshotOnGap) {
            ending = new Ending(
                    false,
                    "changes are lost: " + start.snapshot().orElseThrow()
                            + ". Run it once with --on-gap=snapshot to read the tables again");
            return Optional.empty();
        }
        Position beginning = Position.beforeSnapshot(identity, Start.names(state), columns.add(now));
        follow(state, start, start.snapshot().isPresent() ? beginning : stored.orElseThrow(), now);
        return Optional.empty();
    }

    /** How to go on after a position that the state of the database allows, if the stream does. */
    private Start onwards(Position from, String digest) throws Database.DatabaseException {
        Optional<String> lost = database.lost(from.offset());
        if (lost.isPresent()) {
            return new Start(lost, true);
        }
        boolean known = database.streamsColumns()
                || (from.unsettled() == 0 && from.columns().equals(digest));
        return new Start(
                known ? Optional.empty() : Optional.of("columns were changed while no process followed them"), false);
    }

    private void follow(Writer.State state, Start start, Position from, Columns now)
            throws InterruptedException, Writer.MovedException, Writer.NothingToKeepException,
                    Database.DatabaseException, Engine.EngineException {
        Map<String, Writer.Followed> tables =
                state.tables().stream().collect(Collectors.toMap(Writer.Followed::source, Function.identity()));
        List<String> names = tables.keySet().stream().sorted().toList();
        report(database.oddities(names));
        Position position = from;
        JsonNode current = state.position();
        if (start.snapshot().isPresent()) {
            progress.began(start.snapshot().get(), database.estimates(names));
            position = begin(current, from);
            current = position.toJson();
        }
        session = new Session(tables);
        progress.started(start.snapshot().isPresent());
        engine.run(
                new Engine.Plan(start.snapshot().isPresent(), position, now, names, !database.publishes(names)),
                new Feeder(writer, tables, columns, progress, position, current));
    }

    private void report(List<String> found) {
        if (!found.equals(oddities)) {
            found.forEach(progress::warn);
            oddities = List.copyOf(found);
        }
    }

    /** Takes the source over, and makes room for a slot that begins with the snapshot. */
    private Position begin(JsonNode current, Position position)
            throws InterruptedException, Writer.MovedException, Writer.NothingToKeepException,
                    Database.DatabaseException {
        String first = "";
        for (JsonNode after = current; first.isEmpty(); after = position.toJson()) {
            // Without a version the answer was lost.
            first = send(after, position);
        }
        Position reading = position.reading(first);
        send(position.toJson(), reading);
        database.prepareSnapshot();
        reload = Optional.empty();
        return reading;
    }

    private String send(JsonNode after, Position position)
            throws InterruptedException, Writer.MovedException, Writer.NothingToKeepException {
        return writer.send(new Writer.Batch(after, position.toJson(), Optional.empty(), List.of(), Optional.empty()));
    }
}
