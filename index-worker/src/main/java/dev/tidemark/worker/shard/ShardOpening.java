package dev.tidemark.worker.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.worker.store.ShardId;

/** When a shard is opened, and with what is known of it from before. For its apply thread. */
final class ShardOpening {
    private final ShardId id;
    private final Supplier<DesiredTable> plan;
    private final ShardOpener opener;
    private final Predecessor predecessor;
    private final Clock clock;
    private final RetrySchedule retries = new RetrySchedule();
    private Optional<OpenShard> before;
    private Optional<RebuildPolicy.Rebuild> rebuilding = Optional.empty();
    private Optional<ShardOpener.Known> known = Optional.empty();
    private Instant begunAt = Instant.MIN;

    /**
     * A shard that was not opened yet.
     *
     * @param plan gives what the shard should hold at the moment
     * @param before another one of the same name, which must be closed before this one is opened
     */
    ShardOpening(
            ShardId id,
            Supplier<DesiredTable> plan,
            ShardOpener opener,
            Predecessor predecessor,
            Clock clock,
            Optional<OpenShard> before) {
        this.id = id;
        this.plan = plan;
        this.opener = opener;
        this.predecessor = predecessor;
        this.clock = clock;
        this.before = before;
    }

    /**
     * Begins to open the shard, where that is due.
     *
     * @param rebuild why it must be built again; empty when what is there may do
     * @param isWanted whether to go on
     */
    boolean begin(ShardStoreHandle handle, Optional<RebuildPolicy.Rebuild> rebuild, BooleanSupplier isWanted) {
        if (before.filter(other -> !other.isClosed()).isPresent() || !retries.isDue(clock.instant())) {
            return false;
        }
        before = Optional.empty();
        rebuilding = rebuild;
        // Before the log is asked for its end.
        begunAt = clock.instant();
        handle.open(this::attempt, lacking -> opener.fetch(wanted(), lacking, isWanted), () -> opener.open(wanted()));
        return true;
    }

    /** What the shard was answers before a thread is free to look for a copy, which may take long. */
    private ShardOpener.Attempt attempt() {
        ShardOpener.Attempt attempt = opener.attempt(wanted());
        if (attempt instanceof ShardOpener.Lacking lacking) {
            lacking.kept().ifPresent(predecessor::begin);
        }
        return attempt;
    }

    private ShardOpener.Wanted wanted() {
        return new ShardOpener.Wanted(id, plan.get(), rebuilding, known, predecessor.isOpen());
    }

    /** It is open; why it was built again, where it was. */
    Optional<RebuildPolicy.Rebuild> succeeded(ShardOpener.Opened now) {
        now.kept().ifPresent(predecessor::begin);
        retries.succeeded();
        return rebuilding;
    }

    /** It failed, or could not be opened; how long it rests until the next try. */
    Duration failed() {
        return retries.failed(clock.instant());
    }

    /** Takes note of what a shard held that is about to be closed. */
    void leaves(ShardOpener.Opened current) {
        known = Optional.of(new ShardOpener.Known(
                current.topicId(),
                current.applier().status().checkpoint().generations().values()));
    }

    /** Whether the log ahead may have been compacted since the shard was opened. */
    boolean isLongBehind(ShardOpener.Opened current) {
        return current.isLongBehind(begunAt, clock.instant());
    }
}
