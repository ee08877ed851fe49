package dev.tidemark.worker.apply;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardStore;

/**
 * Applies batches of records to one shard. Each batch is one commit that holds entries, row states, quarantine and
 * checkpoint. A batch with very many changes takes several commits, of which the last moves the checkpoint. A batch
 * that changes no row moves the checkpoint in memory only; the next batch that changes rows stores it, or
 * {@link #persistIfDue()} does. A batch is cut into several as {@link DecodedBatch#read} says.
 *
 * <p>One thread at a time; {@link #status()} and {@link #caughtUpAt} are for any thread. After an exception the applier
 * must be discarded: the stored state is right, and a new applier starts from it.
 */
public final class ShardApplier {
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardApplier.class);
    private static final Duration PERSIST_EVERY = Duration.ofSeconds(2);
    private static final Duration PERSIST_CAUGHT_UP_EVERY = Duration.ofMinutes(1);

    private final ShardId id;
    private final ChangeCodec codec;
    private final ShardStore store;
    private final Clock clock;
    private final WriterClock writerTime;
    private final Listener listener;
    private final Map<Long, Long> settled = new HashMap<>();
    private GenerationReconciler holding;
    private RowPlanner planner;
    private PublishedProgress gate;
    private VersionCeilings ceilings = VersionCeilings.NONE;
    private Continuity continuity;
    private final UnconfirmedVersions readPast;
    private ShardCheckpoint stored;
    private Instant persistedAt;
    private volatile ShardStatus status;
    private volatile Instant seenCaughtUp = Instant.MIN;

    /** Receives the results of applied batches, on the applying thread. */
    public interface Listener {
        /** A batch has become visible. */
        default void applied(ShardId shard, ApplyCounts counts) {
            // Optional: some listeners count something else.
        }

        /** Changes in commit order have become visible for the first time; called once for each such batch. */
        default void visible(ShardId shard, StageLatencies latencies) {
            // Optional: some listeners do not need latencies.
        }

        /** A heartbeat of a source was read, whose watermark was that much older; called once for a batch. */
        default void sourceAge(ShardId shard, Duration age) {
            // Optional: most listeners do not need it.
        }

        /** A batch has changed the entry keys of rows, by generation; not called while the shard restores. */
        default void keysChanged(ShardId shard, Map<Long, KeyChanges> changes) {
            // Optional: most listeners do not need key changes.
        }
    }

    /**
     * Opens an applier that continues from the stored checkpoint. When it returns, the store has the planned
     * generations.
     *
     * @param plan the generations that the shard is to hold
     * @param endOffset the end of the partition, requested after the shard was assigned to this process
     * @param askedAt a time before that request, by this process's clock
     */
    public static ShardApplier open(
            ShardId id,
            DesiredTable plan,
            ShardStore store,
            long endOffset,
            Instant askedAt,
            Clock clock,
            WriterClock writerTime,
            Listener listener) {
        ShardApplier applier = new ShardApplier(id, plan, store, endOffset, askedAt, clock, writerTime, listener);
        while (applier.reconcile(plan)) {
            // Each step is stored by itself.
        }
        return applier;
    }

    private ShardApplier(
            ShardId id,
            DesiredTable plan,
            ShardStore store,
            long endOffset,
            Instant askedAt,
            Clock clock,
            WriterClock writerTime,
            Listener listener) {
        this.id = id;
        this.codec = new ChangeCodec(plan.name());
        this.store = store;
        this.clock = clock;
        this.writerTime = writerTime;
        this.listener = listener;
        this.stored = store.checkpoint();
        this.gate = PublishedProgress.opened(stored.progress(), stored.nextOffset(), endOffset);
        this.readPast = new UnconfirmedVersions(stored);
        this.continuity = new Continuity(stored.nextOffset());
        this.persistedAt = clock.instant();
        this.status = new ShardStatus(stored, gate.restoring());
        this.holding = new GenerationReconciler(plan);
        this.planner = holding.planner(id.partition(), stored);
        if (stored.isNew() || !gate.restoring()) {
            // A new shard, or one that is already at the end of the log, cannot have missed a delete.
            this.seenCaughtUp = askedAt;
        }
    }

    /** How the shard is doing. */
    public ShardStatus status() {
        return status;
    }

    /** Records that the shard had applied everything in its partition at that time. */
    public void caughtUpAt(Instant time) {
        seenCaughtUp = time;
    }

    /** The last time at which the shard had applied everything in its partition; {@link Instant#MIN} for never. */
    public Instant lastCaughtUp() {
        return later(seenCaughtUp, status.checkpoint().lastCaughtUp());
    }

    /**
     * The same, as seen by this applier only, in the time of this process's clock; the stored time may be by another
     * clock.
     */
    public Instant seenCaughtUp() {
        return seenCaughtUp;
    }

    /**
     * Applies the next batch of the partition. When it returns, all of it can be read.
     *
     * @param polledAt when the poll thread had it, by this process's clock
     */
    public void apply(ChangeBatch batch, Instant polledAt) {
        Optional<ChangeBatch> left = Optional.of(batch);
        while (left.isPresent()) {
            left = applyFirst(left.get(), polledAt);
        }
    }

    /** Applies the records of a batch that may be applied at once; returns what is left of it. */
    private Optional<ChangeBatch> applyFirst(ChangeBatch all, Instant polledAt) {
        Instant takenAt = clock.instant();
        DecodedBatch decoded =
                DecodedBatch.read(codec, planner, all, gate, writerTime.latest(polledAt), ceilings, continuity);
        BatchChanges changes = new BatchChanges(status.checkpoint(), planner);
        ApplyCounts counts = plan(decoded.byRow(), changes).plus(new ApplyCounts(0, 0, decoded.heartbeatsRefused()));
        boolean following = !gate.restoring();
        commit(all.first(decoded.size()), decoded, changes);
        readPast.add(status.checkpoint(), polledAt, decoded.highest(), decoded.frontiers());
        decoded.mark()
                .filter(mark -> !readPast.isBeyond(mark.frontier()))
                .ifPresent(
                        mark -> status = status.with(DigestRule.compare(status.digests(), status.checkpoint(), mark)));
        listener.applied(id, counts);
        if (following) {
            listener.keysChanged(id, changes.keyChanges());
            decoded.sourceAge().ifPresent(age -> listener.sourceAge(id, age));
        }
        if (following && !decoded.firstSeen().isEmpty()) {
            tellVisible(decoded.firstSeen(), polledAt, takenAt);
        }
        return all.after(decoded.size());
    }

    /**
     * Checks the versions that were read against the last answer of the writer. If the writer has not assigned one of
     * them, the shard goes back to an earlier offset of its log, and the log must be read from there.
     *
     * @return whether it went back
     */
    public boolean goBackIfRefuted() {
        Optional<UnconfirmedVersions.Return> back = writerTime.bound().flatMap(readPast::check);
        back.ifPresent(this::goBack);
        return back.isPresent();
    }

    private void goBack(UnconfirmedVersions.Return back) {
        LOGGER.warn("Shard {} goes back: {}", id, back);
        ceilings = ceilings.and(back.ceiling(), back.to().nextOffset());
        continuity = new Continuity(back.to().nextOffset());
        gate = gate.back(back.to().progress(), back.ceiling().offset());
        store(ShardBatch.of(status.checkpoint().backAt(back.to())), Durability.PROCESS);
    }

    /**
     * One step towards holding what is wanted: a generation is added, passes into another phase, or is dropped.
     *
     * @return false when there was nothing to do
     */
    public boolean reconcile(DesiredTable plan) {
        if (!plan.equals(holding.plan())) {
            holding = new GenerationReconciler(plan);
            planner = holding.planner(id.partition(), status.checkpoint());
        }
        Optional<ReconcileAction> step = holding.next(status.checkpoint(), gate.restoring(), settled, clock.instant());
        step.ifPresent(this::take);
        return step.isPresent();
    }

    /** Adds rows that were read again to the generations that lack them. When it returns, all of it can be read. */
    public void copy(BackfillBatch batch) {
        Map<KeyBytes, List<BackfillBatch.Row>> rows = batch.byKey();
        List<KeyBytes> keys = List.copyOf(rows.keySet());
        BatchChanges changes = new BatchChanges(status.checkpoint(), planner);
        eachKnown(keys, changes, (known, i) -> {
            for (BackfillBatch.Row row : Objects.requireNonNull(rows.get(keys.get(i)))) {
                RowChange plan = planner.complete(known, row.key(), row.version(), row.derived());
                if (plan instanceof RowChange.Applied change) {
                    changes.add(row.key(), known, change, Optional.empty());
                    return;
                }
            }
        });
        ShardCheckpoint after = batch.noted(changes.counted(status.checkpoint()));
        store(changes.toBatch(after), Durability.PROCESS);
    }

    /**
     * Records that the backfill of a generation has read everything, and where the partition ended at that moment or
     * later. Rows that the generation lacks once the shard has passed that offset are not in the topic.
     */
    public void copied(long generation, long endOffset) {
        settled.put(generation, endOffset);
    }

    /** What generations that are being built lack cannot be read any more, so that they are degraded. */
    public void giveUp(Collection<Long> generations, String reason) {
        for (long generation : generations) {
            GenerationStatus held = status.checkpoint().generations().get(generation);
            if (held != null && held.phase() instanceof GenerationState.Building) {
                take(new ReconcileAction.Pass(held.in(new GenerationState.Degraded(false, clock.instant(), reason))));
            }
        }
    }

    /** Makes rows equal to those of the fact table. When it returns, all of them can be read. */
    public void repair(List<RowRepair> repairs) {
        BatchChanges changes = new BatchChanges(status.checkpoint(), planner);
        eachKnown(repairs.stream().map(RowRepair::primaryKey).toList(), changes, (known, i) -> {
            if (planner.repair(known, repairs.get(i)) instanceof RowChange.Applied change) {
                changes.add(repairs.get(i).primaryKey(), known, change, Optional.empty());
            }
        });
        store(changes.toBatch(changes.counted(status.checkpoint())), Durability.PROCESS);
    }

    /**
     * Corrects the stored totals of a generation. The correction is also right at any later time, because each change
     * adds its difference.
     *
     * @param by the difference to add
     */
    public void correct(long generation, GenerationStats by) {
        status.checkpoint().generation(generation).ifPresent(held -> {
            LOGGER.warn("Shard {} kept wrong sums of generation {}, which lacked {}", id, generation, by);
            GenerationStatus right = held.with(held.tally().plus(by));
            store(ShardBatch.of(status.checkpoint().with(right)), Durability.PROCESS);
        });
    }

    /** Applies the result of a verification. One that is undecided, or that comes too late, changes nothing. */
    public void judge(long generation, VerificationResult proof) {
        status.checkpoint().generation(generation).ifPresent(held -> {
            GenerationState next = GenerationTransitions.judged(held.phase(), proof, clock.instant());
            if (!next.equals(held.phase())) {
                take(new ReconcileAction.Pass(held.in(next)));
            }
        });
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

    private void take(ReconcileAction step) {
        ShardCheckpoint now = status.checkpoint();
        if (step instanceof ReconcileAction.Add add) {
            store.addGenerations(add.begun().stream().map(GenerationStatus::id).toList());
            for (GenerationStatus begun : add.begun()) {
                now = now.with(begun);
                LOGGER.info("Shard {} begins generation {}: {}", id, begun.id(), begun.phase());
            }
        } else if (step instanceof ReconcileAction.Pass pass) {
            GenerationStatus after = pass.after();
            now = now.with(after);
            settled.remove(after.id());
            LOGGER.info("Generation {} of shard {} is now {}", after.id(), id, after.phase());
        } else if (step instanceof ReconcileAction.Drop drop) {
            now = now.without(drop.generation());
        }
        store(ShardBatch.of(now.caughtUpAt(lastCaughtUp())), Durability.POWER_CUT);
        if (step instanceof ReconcileAction.Drop drop) {
            // The other way round, a power cut could bring back a checkpoint that names what is gone.
            store.dropGeneration(drop.generation());
            LOGGER.info("Shard {} has dropped generation {}", id, drop.generation());
        }
        planner = holding.planner(id.partition(), status.checkpoint());
    }

    private void store(ShardBatch batch, Durability durability) {
        store.commit(batch, durability);
        stored = batch.checkpoint();
        persistedAt = clock.instant();
        status = new ShardStatus(stored, gate.restoring(), status.digests(), status.refusals());
    }

    private ApplyCounts plan(Map<KeyBytes, List<DecodedRecord>> byRow, BatchChanges changes) {
        List<KeyBytes> keys = List.copyOf(byRow.keySet());
        Instant now = clock.instant();
        BatchFold fold = new BatchFold(id, planner, now, writerTime.at(now), writerTime.latest(now));
        eachKnown(
                keys,
                changes,
                (known, i) -> fold.into(changes, keys.get(i), known, Objects.requireNonNull(byRow.get(keys.get(i)))));
        return fold.end();
    }

    /**
     * Does something with what is known of each row. What that changes is stored on the way where it is much, with the
     * checkpoint where it was: if it comes again, it changes nothing.
     */
    private void eachKnown(List<KeyBytes> keys, BatchChanges changes, ObjIntConsumer<Optional<RowState>> action) {
        RowLookup rows = new RowLookup(store, keys, planner.rowsAtOnce());
        for (int i = 0; i < keys.size(); i++) {
            action.accept(rows.next(), i);
            if (changes.isLarge()) {
                ShardCheckpoint before = status.checkpoint().caughtUpAt(lastCaughtUp());
                store(changes.toBatch(changes.counted(before)), Durability.PROCESS);
            }
        }
    }

    private void commit(ChangeBatch batch, DecodedBatch decoded, BatchChanges changes) {
        ShardCheckpoint before = status.checkpoint();
        PublishedProgress next = decoded.published(batch.nextOffset());
        decoded.heard().watermark().ifPresent(watermark -> writerTime.seen(watermark, clock.instant()));
        Instant caughtUp = next.restoring() ? Instant.MIN : locally(next.published());
        ShardCheckpoint after = changes.counted(new ShardCheckpoint(
                batch.nextOffset(),
                batch.leaderEpoch().isPresent() ? batch.leaderEpoch() : before.leaderEpoch(),
                next.published(),
                later(caughtUp, lastCaughtUp()),
                before.generations(),
                before.liveRows(),
                before.quarantined()));
        // A shard answers from the moment on at which it is whole, so the stored checkpoint must say that it is.
        if (!changes.isEmpty()
                || (after.progress().isWhole() && !before.progress().isWhole())) {
            store.commit(changes.toBatch(after));
            stored = after;
            persistedAt = clock.instant();
        }
        gate = next;
        seenCaughtUp = later(seenCaughtUp, caughtUp);
        status = new ShardStatus(after, next.restoring(), status.digests(), refusals(decoded.refusals()));
        if (decoded.isAhead()) {
            writerTime.doubt();
        }
        persistIfDue();
    }

    private Refusals refusals(Refusals more) {
        Refusals before = status.refusals();
        if (before.count() == 0 && more.count() > 0) {
            // Once an opening, so that a flood of them does not drown the log.
            LOGGER.warn(
                    "Shard {} does not believe a record: {}", id, more.last().orElse(""));
        }
        return before.plus(more);
    }

    /** The watermark by this process's clock, at the latest. */
    private Instant locally(Progress progress) {
        Instant now = clock.instant();
        return progress.watermark()
                .map(watermark -> now.minus(Duration.between(watermark, writerTime.at(now))))
                .orElse(Instant.MIN);
    }

    private void tellVisible(List<ChangeTiming> changes, Instant polledAt, Instant takenAt) {
        Instant visible = writerTime.likely(clock.instant());
        Instant polled = writerTime.likely(polledAt);
        listener.visible(id, StageLatencies.of(changes, polled, writerTime.likely(takenAt), visible));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
