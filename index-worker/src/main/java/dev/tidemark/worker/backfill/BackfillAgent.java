package dev.tidemark.worker.backfill;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * Reads the change topic again for the generations that are being built, as fast as the throttle permits. Each shard
 * stores its next offset together with the rows, so the state of this agent may be lost at any time. Owns the source.
 */
public final class BackfillAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(BackfillAgent.class);
    private static final Duration PATIENCE = Duration.ofMillis(20);
    private static final long LARGEST_POLL = 8L << 20;
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    /** Beyond the target. Longer than it may take until a count shows that records wait. */
    private static final Duration SOURCE_LATE = Duration.ofSeconds(5);

    private static final OptionalLong NOTHING_BEHIND = OptionalLong.of(0);

    /**
     * The maximum number of tasks that wait for the thread of a shard. One waiting task keeps the thread busy; many
     * would delay its changes.
     */
    private static final int MOST_WAITING = 2;

    private final Supplier<BackfillSource> sources;
    private final Shards shards;
    private final LagMeter lag;
    private final MemoryBudget.Part memory;
    private final Throttle throttle;
    private final BuildMeter meter;
    private final Clock clock;
    private final Map<ShardId, BackfillReader> readers = new TreeMap<>();
    private @Nullable BackfillSource source;
    private Instant nextAttempt = Instant.MIN;
    private Instant nextAsking = Instant.MIN;

    /**
     * An agent that reads nothing yet.
     *
     * @param sources opens another source
     * @param lag gives the freshness of the indexes that the backfill must not slow down
     * @param memory reserves memory for the rows that wait for shards
     */
    public BackfillAgent(
            Supplier<BackfillSource> sources,
            LagMeter lag,
            MemoryBudget.Part memory,
            Throttle throttle,
            BuildMeter meter,
            Clock clock) {
        this.sources = sources;
        this.memory = memory;
        this.shards = lag.shards();
        this.lag = lag;
        this.throttle = throttle;
        this.meter = meter;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "backfill";
    }

    @Override
    public int doWork() {
        meter.watch();
        if (clock.instant().isBefore(nextAttempt)) {
            return 0;
        }
        try {
            return step();
        } catch (RuntimeException e) {
            LOGGER.warn("Reading for a build failed and begins again in {} s", PAUSE_AFTER_FAILURE.toSeconds(), e);
            nextAttempt = clock.instant().plus(PAUSE_AFTER_FAILURE);
            closeSource();
            return 1;
        }
    }

    @Override
    public void onClose() {
        closeSource();
    }

    private int step() {
        boolean changed = false;
        boolean wanted = false;
        List<ShardId> gone = new ArrayList<>(readers.keySet());
        for (OpenShard shard : shards.assigned()) {
            // Read before the plan, so that a shard that is opened meanwhile is noticed at the next step.
            int opening = shard.openings();
            Optional<ShardCheckpoint> checkpoint = shard.applied().map(ShardStatus::checkpoint);
            Optional<BackfillPlan> plan = checkpoint.flatMap(BackfillPlan::of);
            wanted |= checkpoint
                    .filter(held -> !BackfillPlan.lacking(held).isEmpty())
                    .isPresent();
            if (plan.isPresent()) {
                gone.remove(shard.id());
                changed |= follow(shard, opening, plan.get());
            }
        }
        gone.forEach(id -> reader(id).ifPresent(BackfillReader::close));
        changed |= readers.keySet().removeAll(gone);
        for (BackfillReader reader : readers.values()) {
            changed |= reader.isTriedAgain(clock.instant());
        }
        if (readers.isEmpty() && !wanted) {
            closeSource();
            return 0;
        }
        BackfillSource open = open();
        if (changed) {
            Map<ShardId, Long> from = new TreeMap<>();
            readers.forEach((id, reader) -> from.put(id, reader.position()));
            open.read(from);
        }
        meter.sample();
        throttle.judge(worstFreshness(), clock.instant());
        askForEnds(open);
        return poll(open) + handOver();
    }

    /** Starts a reader of the shard unless the present one serves the plan; returns whether it started one. */
    private boolean follow(OpenShard shard, int opening, BackfillPlan plan) {
        BackfillReader known = readers.get(shard.id());
        if (known != null && known.serves(shard, plan.generations())) {
            return false;
        }
        if (known != null) {
            known.close();
        }
        readers.put(
                shard.id(),
                new BackfillReader(
                        shard,
                        opening,
                        plan,
                        shards.definitions().generations(shard.id().table()),
                        memory));
        return true;
    }

    private int poll(BackfillSource open) {
        if (readers.isEmpty()) {
            return 0;
        }
        PolledBatches read = pollWithin(open);
        read.batches().forEach((id, batch) -> reader(id).ifPresent(reader -> reader.add(batch)));
        read.broken().forEach((id, reason) -> {
            LOGGER.warn("Builds of shard {} are given up, because {}", id, reason);
            reader(id).ifPresent(reader -> reader.end(reason));
        });
        read.failed().forEach((id, reason) -> {
            LOGGER.warn("Partition {} cannot be read for builds, and is tried again later: {}", id, reason);
            reader(id).ifPresent(reader -> reader.failed(clock.instant()));
        });
        return read.batches().size();
    }

    /** Takes as much as there is memory for; where there is none, a record for those shards that have nothing to do. */
    private PolledBatches pollWithin(BackfillSource open) {
        Optional<MemoryBudget.Reservation> room = memory.tryReserve(Math.min(LARGEST_POLL, memory.limit() / 4));
        try {
            open.rest(readers.entrySet().stream()
                    .filter(entry -> entry.getValue().rests(room.isPresent(), clock.instant()))
                    .map(Map.Entry::getKey)
                    .toList());
            // The client holds each record twice while it polls, and each generation derives more from it.
            return open.poll(PATIENCE, room.map(held -> held.bytes() / 2).orElse(1L));
        } finally {
            room.ifPresent(MemoryBudget.Reservation::close);
        }
    }

    private Optional<BackfillReader> reader(ShardId id) {
        return Optional.ofNullable(readers.get(id));
    }

    private int handOver() {
        int handed = 0;
        for (BackfillReader reader : readers.values()) {
            int step = throttle.step();
            int rows = reader.next(step);
            if (reader.shard().tasksWaiting() < MOST_WAITING && throttle.pass(rows, clock.instant())) {
                OptionalInt taken = reader.handOver(step);
                throttle.giveBack(rows - taken.orElse(0));
                handed += taken.isPresent() ? 1 : 0;
            }
        }
        return handed;
    }

    /**
     * Passes the end offset of the log to shards whose generations lack rows after the backfill has read all records.
     */
    private void askForEnds(BackfillSource open) {
        if (clock.instant().isBefore(nextAsking)) {
            return;
        }
        nextAsking = clock.instant().plus(ASK_AGAIN);
        for (OpenShard shard : shards.assigned()) {
            Set<Long> lacking = shard.applied()
                    .map(status -> BackfillPlan.lacking(status.checkpoint()))
                    .orElse(Set.of());
            // A shard that is not open does none of its tasks, possibly for days. One that applies pieces of another
            // build has the most of these nearly always, so one task more has room.
            if (!lacking.isEmpty() && shard.tasksWaiting() <= MOST_WAITING) {
                askForEnd(open, shard, lacking);
            }
        }
    }

    private static void askForEnd(BackfillSource open, OpenShard shard, Set<Long> lacking) {
        try {
            long end = open.endOffset(shard.id());
            lacking.forEach(generation -> shard.ask(applier -> applier.copied(generation, end)));
        } catch (RuntimeException e) {
            LOGGER.warn("Where partition {} ends is not known: {}", shard.id(), e.getMessage());
        }
    }

    /** The worst freshness of those shards that a build could slow down. */
    private Optional<Duration> worstFreshness() {
        return shards.assigned().stream()
                .filter(shard -> !shard.isPaused() && shard.isReadable() && !shard.isAnsweredByPredecessor())
                .map(lag::of)
                .filter(known -> known.failure().isEmpty() && !isSourceLate(known))
                .flatMap(known -> known.freshness().stream())
                .max(Duration::compareTo);
    }

    /** Whether a shard is much older than it should be although nothing waits for it. */
    private boolean isSourceLate(ShardLag known) {
        return known.recordsBehind().equals(NOTHING_BEHIND)
                && known.freshness()
                        .filter(age -> age.compareTo(throttle.target().plus(SOURCE_LATE)) > 0)
                        .isPresent();
    }

    private BackfillSource open() {
        BackfillSource open = source;
        if (open == null) {
            open = sources.get();
            source = open;
        }
        return open;
    }

    private void closeSource() {
        BackfillSource open = source;
        source = null;
        readers.values().forEach(BackfillReader::close);
        readers.clear();
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (RuntimeException e) {
            LOGGER.warn("Closing a source failed", e);
        }
    }
}
