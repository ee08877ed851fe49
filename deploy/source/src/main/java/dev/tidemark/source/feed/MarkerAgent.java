package dev.tidemark.source.feed;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.runtime.Agent;

/**
 * Puts the writer's clock into the stream of the database. A marker comes out of the stream behind every commit
 * that was acknowledged before its time, so that time becomes the watermark with the batch that the marker is in.
 * It looks at the catalog, the columns and the replication slot on the way. A marker says which tables the stream
 * does not have, so that it proves nothing then, whichever process reads it.
 */
public final class MarkerAgent implements Agent {
    /** Below this, a slot that may lose changes is reported. */
    private static final long LITTLE_BYTES = 256L << 20;

    private static final Duration SLOT_INTERVAL = Duration.ofSeconds(10);

    private final Writer writer;
    private final Database database;
    private final Follower follower;
    private final ColumnHistory columns;
    private final Progress progress;
    private final Clock clock;
    private Instant slotSeen = Instant.EPOCH;
    private String complaint = "";
    private String danger = "";

    /** Uses the ports of a follower, from another thread. */
    public MarkerAgent(
            Writer writer,
            Database database,
            Follower follower,
            ColumnHistory columns,
            Progress progress,
            Clock clock) {
        this.writer = writer;
        this.database = database;
        this.follower = follower;
        this.columns = columns;
        this.progress = progress;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "marker";
    }

    @Override
    public int doWork() throws InterruptedException {
        Optional<Follower.Session> session = follower.session();
        if (session.isPresent()) {
            try {
                mark(session.get());
                complaint = "";
            } catch (Database.DatabaseException e) {
                complain(e.getMessage() + "; the watermark stands still");
            } catch (RuntimeException e) {
                complain(e + "; the watermark stands still");
            }
        }
        return 0;
    }

    private void mark(Follower.Session session) throws InterruptedException, Database.DatabaseException {
        Writer.State state = writer.state();
        // A table that followed nothing for a while has rows of clients, so it has to be read again.
        if (!Writer.Origin.areStill(Writer.Origin.of(session.tables().values()), Writer.Origin.of(state.tables()))) {
            progress.warn("the catalog has other tables for this source; beginning again");
            follower.beginAgain();
            return;
        }
        Set<String> tables = session.tables().keySet();
        Columns now = database.columns(tables).requiring(session.tables().values());
        Map<String, String> digests = columns.add(now, tables);
        // A stream that is opened again by itself may be that of a server which has taken over.
        if (!database.identity().equals(session.identity())) {
            progress.warn("another server answers for the database; beginning again");
            follower.beginAgain();
            return;
        }
        database.mark(new MarkerContent(state.time(), digests).toBytes());
        if (clock.instant().isAfter(slotSeen.plus(SLOT_INTERVAL))) {
            slotSeen = clock.instant();
            watchSlot();
        }
    }

    private void watchSlot() throws Database.DatabaseException {
        String now = database.slot().flatMap(MarkerAgent::danger).orElse("");
        if (danger.isEmpty() && !now.isEmpty()) {
            progress.warn(now);
        }
        danger = now;
    }

    private static Optional<String> danger(Database.Slot slot) {
        if (slot.lost()) {
            return Optional.of("the database has removed changes that the replication slot had to keep");
        }
        return slot.safeBytes()
                .filter(bytes -> bytes < LITTLE_BYTES)
                .map(bytes -> "the replication slot is lost when " + (bytes >> 20)
                        + " MiB more are written, by max_slot_wal_keep_size");
    }

    private void complain(String why) {
        if (!why.equals(complaint)) {
            progress.warn(why);
            complaint = why;
        }
    }
}
