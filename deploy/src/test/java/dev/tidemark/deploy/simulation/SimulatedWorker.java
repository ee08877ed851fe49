package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.clocks.ClockAgent;
import dev.tidemark.worker.clocks.ClockEstimate;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.WriterTime;
import dev.tidemark.worker.consume.ApplyAgent;
import dev.tidemark.worker.consume.PollAgent;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lifecycle.Bell;
import dev.tidemark.worker.lifecycle.Lease;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.ShardOpener;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.lifecycle.Trust;
import dev.tidemark.worker.lifecycle.WaitingRoom;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.receipt.ReceiptDesk;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.SilentListener;

/** The worker process: its agents, stepped in any order, over shards on a disk that outlives them. */
final class SimulatedWorker {
    private static final Duration MAX_ABSENCE = SimulatedLog.TOMBSTONE_RETENTION.dividedBy(2);

    private static final Duration LONG_SILENT = Duration.ofMinutes(1);

    private final InMemoryShardStores disk = new InMemoryShardStores();
    private final TableDefinition table;
    private final SimulatedLog log;
    private final SimulatedWriter writer;
    private final ManualClock trueTime;
    private final Chance chance;
    private final History history;
    private final Rule broken;
    private Instant answered = Instant.MIN;
    private Parts process;

    SimulatedWorker(
            TableDefinition table,
            SimulatedLog log,
            SimulatedWriter writer,
            ManualClock trueTime,
            Chance chance,
            History history,
            Rule broken) {
        this.table = table;
        this.log = log;
        this.writer = writer;
        this.trueTime = trueTime;
        this.chance = chance;
        this.history = history;
        this.broken = broken;
        this.process = start();
    }

    private record Parts(
            Shards shards,
            LagMeter lag,
            ReceiptDesk desk,
            ClockAgent clocks,
            TopicWatchAgent topics,
            PollAgent poll,
            ApplyAgent apply) {}

    /** One step of one of the agents, and of that which asks for the time, whose thread nobody else holds up. */
    void step() {
        try {
            process.clocks().doWork();
            switch (chance.below(5)) {
                case 0 -> process.topics().doWork();
                case 1, 2 -> process.poll().doWork();
                default -> process.apply().doWork();
            }
        } catch (SimulatedCrash e) {
            crash();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The process ends; where the power went too, the newest commits are lost. */
    void crash() {
        shardsOnDisk().forEach(id -> disk.crash(id, chance.below(4)));
        process = start();
    }

    /** Somebody deletes the worker's data while it is down. */
    void loseDisk() {
        shardsOnDisk().forEach(id -> {
            disk.crash(id, 0);
            disk.drop(id);
        });
        process = start();
    }

    /** Whether every shard has applied everything that is in the log. */
    boolean isCaughtUp() {
        return process.shards().assigned().size() == table.partitions()
                && process.shards().assigned().stream().allMatch(this::isCaughtUp);
    }

    /** What readers are told about a partition; empty while the shard is not open. */
    Optional<LiveShard.Reading> read(int partition) {
        return process.shards().find(new ShardId(table.name(), partition)).flatMap(LiveShard::read);
    }

    /** Where receipts are given; the writer cannot be asked. */
    ReceiptDesk desk() {
        return process.desk();
    }

    /** How old a partition says it is; empty when it does not tell. */
    Optional<Duration> freshness(int partition) {
        return process.shards()
                .find(new ShardId(table.name(), partition))
                .flatMap(shard -> process.lag().of(shard).freshness());
    }

    private List<ShardId> shardsOnDisk() {
        return IntStream.range(0, table.partitions())
                .mapToObj(partition -> new ShardId(table.name(), partition))
                .filter(disk::has)
                .toList();
    }

    private boolean isCaughtUp(LiveShard shard) {
        long end = log.partitions().get(shard.id().partition()).endOffset();
        return shard.status()
                .filter(status -> !status.restoring() && status.checkpoint().nextOffset() == end)
                .isPresent();
    }

    private Parts start() {
        Map<ShardId, HandedBatches> handed = new HashMap<>();
        Clock clock = WrongClock.of(trueTime, chance);
        ClockEstimate estimate = new ClockEstimate(clock.instant());
        WriterTime writerTime = broken == Rule.MEASURE_ON_THE_WRITERS_CLOCK ? WriterTime.SAME : estimate;
        Bell bell = new Bell();
        ShardOpener opener =
                new ShardOpener(fallible(handed), log, new Trust(MAX_ABSENCE), clock, writerTime, new SilentListener());
        Shards shards = new Shards(SampleTable::definitions, opener, bell, clock, 1);
        TopicWatchAgent topics = new TopicWatchAgent(SampleTable.catalog(), log, shards, clock);
        Lease lease = new Lease(Duration.ofSeconds(6), clock);
        PollAgent poll = new PollAgent(
                () -> new SimulatedSource(log, table, chance, handed), topics::ready, shards, lease, clock);
        LagMeter lag = new LagMeter(shards, clock, writerTime);
        return new Parts(
                shards,
                lag,
                desk(lag, bell),
                new ClockAgent(estimate, this::askForTheTime, clock),
                topics,
                poll,
                new ApplyAgent(0, shards, Duration.ZERO));
    }

    private static ReceiptDesk desk(LagMeter lag, Bell bell) {
        RowLookup rows = new RowLookup(lag, Optional::empty);
        return new ReceiptDesk(SampleTable::definitions, rows, new WaitingRoom(bell, 1), (asked, key) -> {
            throw new NotAnswerableException("the writer is not asked");
        });
    }

    /** A writer that does not answer now and then, but is not silent for long. */
    private Optional<ClockReading> askForTheTime(Clock local) {
        boolean longSilent = Duration.between(answered, trueTime.instant()).compareTo(LONG_SILENT) > 0;
        if (!longSilent && chance.faultOneIn(4)) {
            return Optional.empty();
        }
        answered = trueTime.instant();
        return Optional.of(writer.tellTime(local));
    }

    private ShardStores fallible(Map<ShardId, HandedBatches> handed) {
        return new ShardStores() {
            @Override
            public ShardStore open(ShardId id, ShardOrigin origin) {
                HandedBatches batches = handed.computeIfAbsent(id, unseen -> new HandedBatches());
                return new FallibleShardStore(disk.open(id, origin), chance, broken, history, batches);
            }

            @Override
            public void drop(ShardId id) {
                disk.drop(id);
            }
        };
    }
}
