package dev.tidemark.worker.apply;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.clocks.WriterTime;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Times;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardStore;

/**
 * Applies batches of records to one shard, each with one commit that holds entries, row states, quarantine and
 * checkpoint. A batch that changes no row moves the checkpoint in memory only; it is stored with the next one that does,
 * or by {@link #persistIfDue()}.
 *
 * <p>One thread at a time; {@link #status()} and {@link #caughtUpAt} are for any thread. After an exception the applier is
 * of no more use: what was stored is right, and a new applier starts from it.
 */
public final class ShardApplier {
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardApplier.class);
    private static final Duration PERSIST_EVERY = Duration.ofSeconds(2);
    private static final Duration PERSIST_CAUGHT_UP_EVERY = Duration.ofMinutes(1);

    private final ShardId id;
    private final ChangeCodec codec;
    private final RowPlanner planner;
    private final ShardStore store;
    private final Clock clock;
    private final WriterTime writerTime;
    private final Listener listener;
    private ProgressGate gate;
    private ShardCheckpoint stored;
    private Instant persistedAt;
    private volatile ShardStatus status;
    private volatile Instant seenCaughtUp = Instant.MIN;

    /** Told of what was applied, by the applying thread. */
    public interface Listener {
        /** A batch has become visible. */
        void applied(ShardId shard, Counts counts);

        /** Changes that came by in their turn have become visible; once a batch that has such. */
        void visible(ShardId shard, Passages passages);
    }

    /**
     * An applier that goes on where the store is.
     *
     * @param endOffset the end of the partition, asked for after the shard was assigned to this process
     */
    public ShardApplier(
            ShardId id,
            TableDefinition table,
            ShardStore store,
            long endOffset,
            Clock clock,
            WriterTime writerTime,
            Listener listener) {
        this.id = id;
        this.codec = new ChangeCodec(table.name());
        this.planner = new RowPlanner(table, id.partition());
        this.store = store;
        this.clock = clock;
        this.writerTime = writerTime;
        this.listener = listener;
        this.stored = store.checkpoint();
        this.gate = ProgressGate.opened(stored.progress(), stored.nextOffset(), endOffset);
        this.persistedAt = clock.instant();
        this.status = new ShardStatus(stored, gate.restoring());
        if (stored.nextOffset() == 0 || !gate.restoring()) {
            // Whoever begins now, or already has everything there is, has missed nothing so far.
            this.seenCaughtUp = clock.instant();
        }
    }

    /** How the shard is doing. */
    public ShardStatus status() {
        return status;
    }

    /** Somebody saw that the shard had everything that was in its partition at that time. */
    public void caughtUpAt(Instant time) {
        seenCaughtUp = time;
    }

    /** When the shard last had everything there was; {@link Instant#MIN} for never. */
    public Instant lastCaughtUp() {
        return later(seenCaughtUp, status.checkpoint().lastCaughtUp());
    }

    /** The same, as far as this applier itself has seen: by this process's clock, which the stored time may not be. */
    public Instant seenCaughtUp() {
        return seenCaughtUp;
    }

    /**
     * Applies the next batch of the partition. When it returns, all of it can be read.
     *
     * @param polledAt when the poll thread had it, by this process's clock
     */
    public void apply(ChangeBatch batch, Instant polledAt) {
        Instant takenAt = clock.instant();
        DecodedBatch decoded = DecodedBatch.read(id, codec, batch, gate);
        Changes changes = new Changes(status.checkpoint());
        Counts counts = plan(decoded.byRow(), changes).plus(new Counts(0, 0, decoded.unreadableHeartbeats()));
        boolean following = !gate.restoring();
        commit(batch, decoded.heard(), changes);
        listener.applied(id, counts);
        if (following && !decoded.firstSeen().isEmpty()) {
            tellVisible(decoded.firstSeen(), polledAt, takenAt);
        }
    }

    /** Stores the checkpoint when it has been only in memory for some seconds. */
    public void persistIfDue() {
        if (Duration.between(persistedAt, clock.instant()).compareTo(PERSIST_EVERY) >= 0) {
            persist();
        }
    }

    /** Stores the checkpoint, where it has moved. */
    public void persist() {
        ShardCheckpoint now = status.checkpoint().caughtUpAt(lastCaughtUp());
        Duration aged = Duration.between(stored.lastCaughtUp(), now.lastCaughtUp());
        persistedAt = clock.instant();
        if (now.nextOffset() != stored.nextOffset() || aged.compareTo(PERSIST_CAUGHT_UP_EVERY) > 0) {
            store.commit(ShardBatch.of(now));
            stored = now;
        }
    }

    private Counts plan(Map<KeyBytes, List<Decoded>> byRow, Changes changes) {
        List<KeyBytes> keys = List.copyOf(byRow.keySet());
        List<Optional<RowState>> states = store.rowStates(keys);
        Instant now = writerTime.at(clock.instant());
        Counts counts = Counts.NONE;
        Optional<QuarantinedRecord> first = Optional.empty();
        for (int i = 0; i < keys.size(); i++) {
            KeyBytes key = keys.get(i);
            Optional<RowState> known = states.get(i);
            RowFold.Result result = RowFold.fold(planner, key, known, byRow.getOrDefault(key, List.of()));
            Optional<QuarantinedRecord> poison = result.poison().map(this::kept);
            first = first.or(() -> poison);
            Optional<Times> times = result.committedAt().map(committed -> Times.of(committed, later(now, committed)));
            result.plan()
                    .map(plan -> times.map(plan::at).orElse(plan))
                    .ifPresent(plan -> changes.add(key, known, plan, poison));
            counts = counts.plus(result.counts());
        }
        // Once a batch, so that a flood of them does not drown the log.
        int quarantined = counts.quarantined();
        first.ifPresent(record -> LOGGER.warn(
                "{} records of shard {} cannot be applied, the first at offset {}: {}",
                quarantined,
                id,
                record.offset(),
                record.reason()));
        return counts;
    }

    private void commit(ChangeBatch batch, Progress heard, Changes changes) {
        ShardCheckpoint before = status.checkpoint();
        ProgressGate next = gate.moved(heard, batch.nextOffset());
        heard.watermark().ifPresent(watermark -> writerTime.seen(watermark, clock.instant()));
        Instant caughtUp = next.restoring() ? Instant.MIN : locally(next.published());
        ShardCheckpoint after = new ShardCheckpoint(
                batch.nextOffset(),
                batch.leaderEpoch().isPresent() ? batch.leaderEpoch() : before.leaderEpoch(),
                next.published(),
                later(caughtUp, lastCaughtUp()),
                changes.entryCounts(),
                changes.quarantined());
        if (!changes.isEmpty()) {
            store.commit(changes.toBatch(after));
            stored = after;
            persistedAt = clock.instant();
        }
        gate = next;
        seenCaughtUp = later(seenCaughtUp, caughtUp);
        status = new ShardStatus(after, next.restoring());
        persistIfDue();
    }

    /** The watermark by this process's clock, at the latest. */
    private Instant locally(Progress progress) {
        Instant now = clock.instant();
        return progress.watermark()
                .map(watermark -> now.minus(Duration.between(watermark, writerTime.at(now))))
                .orElse(Instant.MIN);
    }

    private QuarantinedRecord kept(Decoded.Bad bad) {
        return new QuarantinedRecord(bad.source().offset(), bad.source().record(), bad.reason(), clock.instant());
    }

    private void tellVisible(List<FirstSeen> changes, Instant polledAt, Instant takenAt) {
        Instant visible = writerTime.likely(clock.instant());
        Instant polled = writerTime.likely(polledAt);
        Instant taken = writerTime.likely(takenAt);
        listener.visible(id, new BatchPassages(changes, polled, taken, visible));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
