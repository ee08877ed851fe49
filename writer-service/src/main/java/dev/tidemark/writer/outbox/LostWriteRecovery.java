package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.KeyedRow;

/**
 * Finds out, once in the life of a process and before anything is published, whether topics hold changes that the fact
 * tables have lost; and undoes them. What topics hold then was all on disk before, so where that is more than the fact
 * tables knew when the process began, they have gone back in time, and another epoch begins.
 *
 * <p>In that epoch, recovery commits every row of the fact tables once more. It also commits a delete of every row that
 * has a change in a topic and is not in the fact tables. These are ordinary changes, with versions above all that were
 * ever published, so every reader of a topic ends with the state of the fact tables. Doing it twice does no harm. After
 * a crash recovery begins again: the question stays open in the {@link TopicLedger} until {@link #settle()}.
 *
 * <p>For the relay alone, step by step.
 */
final class LostWriteRecovery {
    private static final Logger LOGGER = LoggerFactory.getLogger(LostWriteRecovery.class);
    private static final int PAGE_ROWS = 500;
    private static final long PAGE_BYTES = 4L << 20;

    private final TopicReconciler keeper;
    private final OutboxRelay.Ports ports;
    private final DerivedTables derived;
    private final Committer committer;
    private final LongSupplier published;
    private final Reemitter reemitter;
    private final Deque<RecordRange> left = new ArrayDeque<>();
    private final Deque<TableDefinition> tables = new ArrayDeque<>();

    /** Tables that are undone once changes up to a sequence are published. */
    private final Map<String, Long> undone = new HashMap<>();

    private final Clock clock;
    private final RowVersion since;
    private Stage stage = Stage.BEGIN;
    private TopicTail summary;
    private @Nullable KeyBytes lastKey;
    private long epoch;
    private boolean lost;
    private boolean settled;

    private enum Stage {
        BEGIN,
        LOOK,
        ENTER_EPOCH,
        NEXT_TABLE,
        REMOVE_ROWS,
        RESTATE_ROWS,
        DONE
    }

    /**
     * Nothing was found out yet.
     *
     * @param published up to which sequence changes have been published
     */
    LostWriteRecovery(
            TopicReconciler keeper,
            OutboxRelay.Ports ports,
            DerivedTables derived,
            Committer committer,
            LongSupplier published,
            Clock clock) {
        this.published = published;
        this.keeper = keeper;
        this.ports = ports;
        this.derived = derived;
        this.committer = committer;
        this.reemitter = new Reemitter(committer);
        this.clock = clock;
        this.summary = new TopicTail(now(), 0);
        this.since = ports.ledger().unsettled().orElse(RowVersion.NONE);
        this.settled = ports.ledger().unsettled().isEmpty();
    }

    /** Whether the question is answered, and all that followed from the answer is done. */
    boolean isSettled() {
        return settled;
    }

    /**
     * Whether versions that are given from now on are above all that were ever given: nothing was lost, or another
     * epoch is there.
     */
    boolean isAnswered() {
        return settled || stage.compareTo(Stage.ENTER_EPOCH) > 0;
    }

    /** Whether what a table has lost, if anything, is undone by changes that are published. */
    boolean isUndone(String table) {
        return settled || undone.getOrDefault(table, Long.MAX_VALUE) <= published.getAsLong();
    }

    /** The epoch in which recovery commits every row once more; 0 where nothing was lost. */
    long recoveryEpoch() {
        return lost ? epoch : 0;
    }

    /**
     * A number for a new producer, above those of all before; durable when the call returns. A ledger that went back in
     * time knows of lower ones than topics.
     */
    long nextSession() {
        return ports.ledger()
                .nextSession(Math.max(summary.session, ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant())));
    }

    /** The last commit may be from long ago, where an old copy was put back. */
    private Instant now() {
        Instant last = committer.frontier().time();
        Instant shown = clock.instant();
        return shown.isAfter(last) ? shown : last;
    }

    /** Begins again after an error. */
    void startAgain() {
        if (stage != Stage.DONE) {
            reemitter.startAgain();
            stage = Stage.BEGIN;
        }
    }

    /**
     * Does the next piece.
     *
     * @return whether nothing is left to do but to {@link #settle()}
     */
    boolean step() throws PublishException, InterruptedException {
        switch (stage) {
            case BEGIN -> begin();
            case LOOK -> look();
            case ENTER_EPOCH -> enterEpoch();
            case NEXT_TABLE -> nextTable();
            case REMOVE_ROWS -> removeRows();
            case RESTATE_ROWS -> restateRows();
            case DONE -> {
                // What is committed has to be published.
            }
        }
        return stage == Stage.DONE && undone.keySet().stream().allMatch(this::isUndone);
    }

    /** Notes durably that the question is answered, and reads no more. */
    void settle() {
        ports.tails().release();
        ports.ledger().settled();
        settled = true;
    }

    private void begin() {
        summary = new TopicTail(now(), since.epoch());
        epoch = 0;
        lost = false;
        left.clear();
        // A version above what the fact tables knew stands behind all that they knew to be published.
        keeper.specs().forEach(spec -> left.addAll(keeper.stretches(spec, true)));
        stage = Stage.LOOK;
    }

    private void look() throws PublishException, InterruptedException {
        RecordRange stretch = left.poll();
        if (stretch != null) {
            summary.add(read(stretch));
            return;
        }
        committer.notBefore(summary.told);
        RowVersion newest = summary.newest;
        // An epoch that begins in any case, because another process may have committed to a copy of the fact tables.
        long least = ports.leadership().leastEpoch();
        long entered = committer.frontier().version().epoch();
        // Compaction may have removed all versions that are lost, but not what a recovery published over them.
        boolean wentBack = summary.session > ports.ledger().lastSession();
        lost = newest.isAfter(since) || wentBack || entered != since.epoch();
        if (lost) {
            epoch = Math.max(Math.max(newest.epoch() + 1, entered), least);
            LOGGER.error(
                    "The fact tables have gone back in time to version {}; topics hold changes up to version {}. In epoch {} all"
                            + " rows are committed once more, and what was lost is undone in the indexes",
                    since,
                    newest,
                    epoch);
        } else if (entered < least) {
            epoch = least;
            LOGGER.warn(
                    "Another writer was at work before this one; epoch {} begins, so that no version is given twice",
                    epoch);
        } else {
            stage = Stage.DONE;
            return;
        }
        committer.beginEpoch(epoch);
        stage = Stage.ENTER_EPOCH;
    }

    private void enterEpoch() {
        // By a number of partitions that turns out to be wrong, changes would be placed where the topic has none.
        if (committer.frontier().version().epoch() >= epoch && (!lost || derived.areDefined(keeper.specs()))) {
            tables.clear();
            tables.addAll(keeper.specs());
            undone.clear();
            stage = lost ? Stage.NEXT_TABLE : Stage.DONE;
        }
    }

    private void nextTable() {
        TableDefinition spec = tables.peek();
        if (spec == null) {
            LOGGER.warn("What was lost is undone: {} rows were committed once more", reemitter.restated());
            stage = Stage.DONE;
            return;
        }
        left.addAll(keeper.stretches(spec, false));
        lastKey = null;
        stage = Stage.REMOVE_ROWS;
    }

    private void removeRows() throws PublishException, InterruptedException {
        if (!reemitter.isDone()) {
            return;
        }
        RecordRange stretch = left.poll();
        if (stretch == null) {
            stage = Stage.RESTATE_ROWS;
            return;
        }
        EventPublisher.Shard shard = stretch.shard();
        Set<KeyBytes> absent = new LinkedHashSet<>();
        for (ChangeMessage message : read(stretch).messages()) {
            // A late delete counts: compaction may have removed the lost row before it, and a shard may still hold that
            // row.
            if (message instanceof ChangeEvent change
                    && derived.find(shard.table(), shard.partition(), change.key()) == null) {
                absent.add(change.key());
            }
        }
        reemitter.begin(DerivedTable.base(shard.table()), absent, derived.also(shard));
    }

    private void restateRows() throws PublishException, InterruptedException {
        if (!reemitter.isDone()) {
            return;
        }
        String table = tables.element().name();
        // The rows of a derived table are those of its base, which comes before it.
        List<KeyedRow> page = DerivedTable.is(table)
                ? List.of()
                : ports.store().scan(table, lastKey, PAGE_ROWS, PAGE_BYTES).rows();
        if (page.isEmpty()) {
            undone.put(table, committer.frontier().version().sequence());
            tables.remove();
            stage = Stage.NEXT_TABLE;
            return;
        }
        lastKey = page.get(page.size() - 1).key();
        reemitter.begin(
                table,
                page.stream()
                        .filter(row -> row.stored().version().epoch() < epoch)
                        .map(KeyedRow::key)
                        .toList(),
                List.of());
    }

    /** Reads a piece of a stretch, and puts what is left of it back. */
    private TopicTailReader.Piece read(RecordRange stretch) throws PublishException, InterruptedException {
        TopicTailReader.Piece piece = ports.tails().read(stretch.shard(), stretch.from(), stretch.end());
        RecordRange rest = stretch.goingOnFrom(piece.next());
        if (!rest.isEmpty()) {
            left.addFirst(rest);
        }
        return piece;
    }

    /** The state of commit order according to the newest records of topics. */
    private static final class TopicTail {
        /** A clock that is further ahead of ours was never that of this writer. */
        private static final Duration MOST_AHEAD = Duration.ofMinutes(1);

        /** A version further ahead than that is forged: each recovery begins one epoch. */
        private static final int MOST_EPOCHS_AHEAD = 1_000;

        private final Instant now;
        private final long mostEpoch;

        /** The highest committed version seen in the topics. */
        private RowVersion newest = RowVersion.NONE;

        /** Heartbeats promise readers every change up to this time, so nothing may be committed at it any more. */
        private Instant told;

        /** The highest number of a producer seen in the topics. */
        private long session;

        private boolean forged;

        /**
         * Nothing was read yet.
         *
         * @param now the latest time that is known
         * @param since the epoch that the fact tables know
         */
        TopicTail(Instant now, long since) {
            this.now = now;
            // The one after the newest must exist.
            this.mostEpoch = Math.min(since + MOST_EPOCHS_AHEAD, RowVersion.MAX_EPOCH - 1);
            this.told = now;
        }

        void add(TopicTailReader.Piece piece) {
            // Workers believe no other.
            session =
                    ExpectedPosition.isBelievable(piece.session(), now) ? Math.max(session, piece.session()) : session;
            for (ChangeMessage message : piece.messages()) {
                if (message instanceof Heartbeat heartbeat) {
                    add(heartbeat.frontier());
                    Instant time = heartbeat.completeUpTo();
                    told = time.isAfter(told) && time.isBefore(now.plus(MOST_AHEAD)) ? time : told;
                } else if (message instanceof ChangeEvent event) {
                    add(event.version());
                }
            }
        }

        private void add(RowVersion version) {
            if (version.epoch() > mostEpoch) {
                if (!forged) {
                    LOGGER.warn("A topic has version {}, which no writer of these fact tables can have given", version);
                }
                forged = true;
            } else if (version.isAfter(newest)) {
                newest = version;
            }
        }
    }
}
