package dev.tidemark.writer.outbox;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
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
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.StoredRow;

/**
 * Handles records in topics that were not acknowledged in their order: a late request of a producer that was closed
 * before, or a record of another process. Such a record may be the last of its key. Then the topic is no copy of its
 * table any more, however workers handle the record. So each row of which a stray record is not the newest state is
 * committed again as it is, and its change comes after that record. For the relay alone, step by step.
 */
final class StrayRecords {
    private static final Logger LOGGER = LoggerFactory.getLogger(StrayRecords.class);
    private static final long NOTHING_SENT = -1;

    private final TopicReconciler keeper;
    private final TopicTailReader tails;
    private final DerivedTables derived;
    private final Tombstones tombstones;
    private final LongSupplier begun;
    private final LongSupplier published;
    private final Committer committer;
    private final Reemitter reemitter;
    private final Deque<Left> left = new ArrayDeque<>();

    /** Where some were found that are not dealt with yet. */
    private final Set<String> tables = new HashSet<>();

    /** Where all are dealt with, once changes up to a sequence are published. */
    private final Map<String, Long> publishedFrom = new HashMap<>();

    private long found;

    /**
     * Records that are not dealt with yet.
     *
     * @param sent changes after this sequence come behind them in any case
     */
    private record Left(RecordRange stretch, long sent) {}

    /**
     * None found yet.
     *
     * @param begun up to which sequence changes have been sent
     * @param published up to which sequence they have been published
     */
    StrayRecords(
            TopicReconciler keeper,
            TopicTailReader tails,
            DerivedTables derived,
            Tombstones tombstones,
            Committer committer,
            LongSupplier begun,
            LongSupplier published) {
        this.published = published;
        this.keeper = keeper;
        this.tails = tails;
        this.derived = derived;
        this.tombstones = tombstones;
        this.begun = begun;
        this.committer = committer;
        this.reemitter = new Reemitter(committer);
        keeper.specs().forEach(this::join);
    }

    /** A table has come into force. */
    void join(TableDefinition spec) {
        keeper.known(spec.name()).ifPresent(topic -> publishedFrom.put(spec.name(), topic.cleanFrom()));
    }

    /** A derived table is no more. */
    void leave(String table) {
        left.removeIf(one -> one.stretch().shard().table().equals(table));
        tables.remove(table);
        publishedFrom.remove(table);
    }

    /** Records have been found, behind which changes may stand that have been sent, and nothing else. */
    void add(Collection<RecordRange> strays) {
        add(strays, begun.getAsLong());
    }

    /** Records have been found in a topic to which all rows are published again. */
    void addBeforeFilling(Collection<RecordRange> strays) {
        add(strays, NOTHING_SENT);
    }

    private void add(Collection<RecordRange> strays, long sent) {
        for (RecordRange stray : strays) {
            String table = stray.shard().table();
            tables.add(table);
            if (keeper.specs().stream().anyMatch(spec -> spec.name().equals(table))) {
                left.add(new Left(stray, sent));
            }
        }
    }

    /** Whether all that were found are dealt with. */
    boolean isDone() throws PublishException, InterruptedException {
        boolean done = left.isEmpty() && reemitter.isDone();
        if (done && !tables.isEmpty()) {
            long last = committer.frontier().version().sequence();
            // Before the end of the topic is recorded, because the records before that end are not inspected again.
            tables.forEach(table -> keeper.cleanFrom(table, last));
            tables.forEach(table -> publishedFrom.put(table, last));
            tables.clear();
        }
        return done;
    }

    /**
     * Whether the rows of a table of which such records were found have been published since. Before that, the topic
     * must not be reported complete: compaction may have removed what came before such a record.
     */
    boolean isClean(String table) {
        if (publishedFrom.getOrDefault(table, Long.MAX_VALUE) <= published.getAsLong()) {
            publishedFrom.remove(table);
        }
        return !tables.contains(table) && !publishedFrom.containsKey(table);
    }

    /**
     * Deals with the next ones.
     *
     * @return how many stretches of them were read, or tables done with
     */
    int step() throws PublishException, InterruptedException {
        int open = tables.size();
        if (isDone() || !reemitter.isDone()) {
            return open - tables.size();
        }
        Left next = left.removeFirst();
        RecordRange stretch = next.stretch();
        TopicTailReader.Piece piece = tails.read(stretch.shard(), stretch.from(), stretch.end());
        RecordRange rest = stretch.goingOnFrom(piece.next());
        if (!rest.isEmpty()) {
            left.addFirst(new Left(rest, next.sent()));
        }
        Set<KeyBytes> overtaken = overtaken(stretch, piece, next.sent());
        if (!overtaken.isEmpty()) {
            found += overtaken.size();
            LOGGER.warn(
                    "Partition {} of topic {} has records up to offset {} that this writer did not put there in their order."
                            + " Their rows, {} so far, are committed once more as they are",
                    stretch.shard().partition(),
                    ChangeTopic.nameFor(stretch.shard().table()),
                    piece.next(),
                    found);
        }
        reemitter.begin(DerivedTable.base(stretch.shard().table()), overtaken, derived.also(stretch.shard()));
        releaseReader();
        return 1;
    }

    /** Lets go what reading records takes, unless more are to be read now; others read with it, too. */
    void releaseReader() {
        if (left.isEmpty()) {
            tails.release();
        }
    }

    /**
     * Forgets what is under way; where it is not dealt with, the next look finds it again.
     *
     * @return the tables of which some are not dealt with
     */
    Set<String> startAgain() {
        Set<String> undone = Set.copyOf(tables);
        tables.clear();
        left.clear();
        reemitter.startAgain();
        tails.release();
        return undone;
    }

    private Set<KeyBytes> overtaken(RecordRange stretch, TopicTailReader.Piece piece, long sent) {
        String table = stretch.shard().table();
        Set<KeyBytes> keys = new LinkedHashSet<>();
        for (ChangeMessage message : piece.messages()) {
            if (message instanceof ChangeEvent event
                    && isOvertaken(table, stretch.shard().partition(), event, sent)) {
                keys.add(event.key());
            }
        }
        piece.unreadable().stream()
                .filter(key -> isSent(derived.find(table, stretch.shard().partition(), key), sent))
                .forEach(keys::add);
        return keys;
    }

    private boolean isOvertaken(String table, int partition, ChangeEvent event, long sent) {
        StoredRow row = derived.find(table, partition, event.key());
        if (row == null) {
            // An older delete may have made a later one go.
            return event instanceof ChangeEvent.Upserted
                    || (sent != NOTHING_SENT
                            && tombstones.isSuperseded(new Tombstone(
                                    table, partition, event.key(), event.version(), event.committedAt())));
        }
        return isSent(row, sent)
                && !(event instanceof ChangeEvent.Upserted && row.version().equals(event.version()));
    }

    /**
     * Whether the newest change of a row may have been sent before; another one stands behind what was found in any
     * case.
     */
    private static boolean isSent(@Nullable StoredRow row, long sent) {
        return row != null && row.version().sequence() <= sent;
    }
}
