package dev.tidemark.worker.testkit;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.OperationRefusedException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.PartitionInfoSource;
import dev.tidemark.worker.shard.ProgressSignal;
import dev.tidemark.worker.shard.RebuildPolicy;
import dev.tidemark.worker.shard.ShardOpener;
import dev.tidemark.worker.shard.ShardThreads;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardId;

/** A worker's shards over memory, moved step by step by the test, which plays the poll and the apply thread. */
public final class WorkerFixture implements PartitionInfoSource {
    private final SettableClock clock = new SettableClock(ChangeLog.at(100));
    private final InMemoryShardStores stores = new InMemoryShardStores();
    private final Map<ShardId, Long> ends = new HashMap<>();
    private final ProgressSignal progressSignal = new ProgressSignal();
    private final SettableSupply copies = new SettableSupply();
    private final Shards shards;
    private final LagMeter lag;
    private String topicId = "topic-1";
    private long start;
    private Optional<Duration> compactionLag = Optional.empty();
    private boolean away;
    private Duration suspended = Duration.ZERO;
    private boolean proving = true;
    private Definitions definitions;

    public WorkerFixture(Catalog catalog) {
        this(catalog, ShardThreads.CALLER);
    }

    /** A bench whose shards are opened and closed by these threads. */
    public WorkerFixture(Catalog catalog, ShardThreads threads) {
        this(catalog, threads, new SilentListener());
    }

    /** A bench that reports what is applied to a listener. */
    public WorkerFixture(Catalog catalog, ShardThreads threads, ShardApplier.Listener listener) {
        this(catalog, threads, listener, WriterClock.SAME);
    }

    /** The same, whose lag is measured on a clock of the writer. */
    public WorkerFixture(
            Catalog catalog, ShardThreads threads, ShardApplier.Listener listener, WriterClock writerTime) {
        this.definitions = Definitions.first(catalog, ChangeLog.START);
        ShardOpener opener = new ShardOpener(
                stores, copies, this, new RebuildPolicy(Duration.ofHours(84)), clock, WriterClock.SAME, listener);
        this.shards = new Shards(this::layout, opener, progressSignal, clock, 1, threads);
        this.lag = new LagMeter(shards, clock, writerTime);
    }

    /** The definitions in force. */
    public Definitions definitions() {
        return definitions;
    }

    /** What topics and shards hold of them. */
    public Definitions layout() {
        return definitions.layout();
    }

    /** Brings definitions into force in which a table is paused. */
    public void pause(TableDefinition table) {
        definitions = paused(table.name(), true);
    }

    /** Brings definitions into force in which a table is not paused. */
    public void resume(TableDefinition table) {
        definitions = paused(table.name(), false);
    }

    private Definitions paused(String table, boolean paused) {
        try {
            return definitions.withPaused(table, paused, clock.instant());
        } catch (OperationRefusedException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Brings other definitions into force. */
    public void define(Definitions wanted) {
        definitions = wanted;
    }

    public SettableClock clock() {
        return clock;
    }

    public InMemoryShardStores stores() {
        return stores;
    }

    /** What other workers have; nothing before a test says otherwise. */
    public SettableSupply copies() {
        return copies;
    }

    public Shards shards() {
        return shards;
    }

    public LagMeter lag() {
        return lag;
    }

    public ProgressSignal progressSignal() {
        return progressSignal;
    }

    /** Sets where a partition ends; 0 before. */
    public void end(ShardId shard, long offset) {
        ends.put(shard, offset);
    }

    /** Makes the topics anew under their old names. */
    public void recreateTopics(String id) {
        topicId = id;
    }

    /** All partitions begin at this offset: what was before it is gone. */
    public void beginAt(long offset) {
        start = offset;
    }

    /** How long the topics leave records alone; not known before. */
    public void compactionLag(Duration lag) {
        compactionLag = Optional.of(lag);
    }

    /** Whether the brokers answer. */
    public void brokersAway(boolean gone) {
        away = gone;
    }

    /** Suspends the process once, as soon as the brokers have answered the next question. */
    public void suspendAfterAnswer(Duration time) {
        suspended = time;
    }

    /**
     * Leaves generations that wait to be proven as they are; otherwise each is found equal to its table as soon as it
     * waits.
     */
    public WorkerFixture withoutProofs() {
        proving = false;
        return this;
    }

    /** Finds every generation that waits to be proven equal to its table. */
    public void proveAll() {
        proving = true;
        run();
        proving = false;
    }

    /** Assigns a shard and opens it. */
    public OpenShard open(ShardId id) {
        OpenShard shard = shards.assign(id);
        run();
        return shard;
    }

    /** Assigns and opens every shard of a table. */
    public void openAll(String table, int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            open(new ShardId(table, partition));
        }
    }

    /** Hands a batch to a shard, as the poll thread does, and applies it. */
    public void deliver(OpenShard shard, long reading, ChangeBatch batch) {
        shard.offer(batch, reading, () -> {});
        run();
    }

    /** Lets the apply thread work until nothing is left to do. */
    public void run() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (OpenShard shard : shards.share(0)) {
                busy |= shard.doWork() > 0 || (proving && prove(shard));
                if (shard.isClosed()) {
                    shards.forget(0, shard);
                }
            }
        }
    }

    private static boolean prove(OpenShard shard) {
        List<Long> waiting =
                shard.applied().map(status -> status.checkpoint().generations().values()).orElse(List.of()).stream()
                        .filter(held -> held.phase() instanceof GenerationState.Verifying)
                        .map(GenerationStatus::id)
                        .toList();
        if (shard.topicId().isEmpty() || shard.tasksWaiting() > 0) {
            return false;
        }
        waiting.forEach(id -> shard.ask(applier -> applier.judge(id, new VerificationResult.Equal())));
        return !waiting.isEmpty();
    }

    @Override
    public PartitionInfo ask(ShardId shard) {
        if (away) {
            throw new BrokersAwayException();
        }
        clock.advance(suspended);
        suspended = Duration.ZERO;
        return new PartitionInfo(topicId, start, ends.getOrDefault(shard, 0L), Optional.empty(), compactionLag);
    }
}
