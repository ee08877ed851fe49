package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.CommitBound;
import dev.tidemark.writer.commit.CatalogRules;
import dev.tidemark.writer.commit.CommitClock;
import dev.tidemark.writer.commit.CommitListeners;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommitRequest;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactDigests;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.QueueFullException;
import dev.tidemark.writer.commit.TableDigestBuilder;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.commit.WritesRefusedException;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.OutboxRelay;
import dev.tidemark.writer.outbox.RelaySettings;
import dev.tidemark.writer.outbox.RelayStatus;
import dev.tidemark.writer.outbox.SourceWatermarks;
import dev.tidemark.writer.outbox.TopicInspector;
import dev.tidemark.writer.outbox.TopicTailReader;
import dev.tidemark.writer.recovery.EpochRecovery;
import dev.tidemark.writer.recovery.FactsGoneException;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.LoneWriter;
import dev.tidemark.writer.testkit.WriterStores;

/** The writer process: committer and relay over a disk that outlives them. */
final class SimulatedWriter {
    private static final int MAX_ROW_BYTES = 10_000;
    private static final Duration DIGEST_INTERVAL = Duration.ofMillis(300);

    private final InMemoryDisk disk = new InMemoryDisk();
    private final WriterStores stores = WriterStores.on(disk);
    private final List<TableDefinition> tables;
    private final SimulatedTopics topics;
    private final ManualClock clock;
    private final RandomSource chance;
    private final Histories histories;
    private final Rule broken;
    private final SimulatedDefinitions definitions;
    private final Optional<SimulatedShop> shop;
    private final List<Waiting> waiting = new ArrayList<>();
    private Committer committer;
    private OutboxRelay relay;
    private TopicInspector looks;
    private TableDigestBuilder sums;
    private final Machine machine;
    private Clock commitClock;
    private int process;
    private SimulatedPublisher publisher;
    private RelayStatus status = new RelayStatus();
    private Runnable undoLastCommit = () -> {};
    private InMemoryDisk copy = new InMemoryDisk();
    private CommitPosition highWaterMark = stores.facts().lastCommit();
    private CommitPosition highWaterMarkInCopy = highWaterMark;

    SimulatedWriter(
            List<TableDefinition> tables,
            SimulatedTopics topics,
            ManualClock clock,
            RandomSource chance,
            Histories histories,
            Rule broken,
            SimulatedDefinitions definitions,
            Optional<SimulatedShop> shop) {
        this.shop = shop;
        this.definitions = definitions;
        this.tables = tables;
        this.topics = topics;
        this.clock = clock;
        this.chance = chance;
        this.histories = histories;
        this.broken = broken;
        this.machine = new Machine(clock, broken);
        this.commitClock = CommitClock.over(machine.clock(chance), Instant.EPOCH, Optional.empty());
        this.publisher = new SimulatedPublisher(topics, clock, chance);
        Parts started = start();
        this.committer = started.committer();
        this.relay = started.relay();
        this.looks = started.looks();
        this.sums = started.sums();
    }

    /** A request of a client that waits, to a table. */
    private record Waiting(String table, CompletableFuture<List<CommitOutcome>> outcome) {}

    private record Parts(Committer committer, OutboxRelay relay, TopicInspector looks, TableDigestBuilder sums) {}

    /** The time that a source is given. */
    Instant commitTime() {
        return committer.frontier().time();
    }

    /** Asks for the time, which takes a while. */
    ClockReading tellTime(Clock local) {
        Instant sent = local.instant();
        clock.advance(Duration.ofMillis(chance.below(20)));
        Instant now = commitClock.instant();
        clock.advance(Duration.ofMillis(chance.below(20)));
        Optional<CommitBound> given = isUnsettled()
                ? Optional.empty()
                : Optional.of(new CommitBound(sent, committer.frontier().version()));
        return new ClockReading(sent, local.instant(), now, Integer.toString(process), given);
    }

    /** Tells the run which states the writer is in. */
    void meet() {
        if (isUnsettled()) {
            chance.meet(CoveragePoint.TOPICS_ARE_BEING_ASKED);
        }
        if (!status.held().isEmpty()) {
            chance.meet(CoveragePoint.A_TABLE_IS_HELD);
        }
        if (facts().lastCommit().version().epoch() > 1) {
            chance.meet(CoveragePoint.ANOTHER_EPOCH);
        }
    }

    FactStore facts() {
        return stores.facts();
    }

    /** Whether everything committed has been acknowledged by the log; what is left out of a held table was not. */
    boolean isDrained() {
        return committer.queuedRequests() == 0
                && status.held().isEmpty()
                && stores.outbox().publishedThrough()
                        == stores.facts().lastCommit().version().sequence();
    }

    /** Whether topics have not been asked yet whether they hold more than the fact tables, or it is not undone. */
    boolean isUnsettled() {
        return stores.ledger().unsettled().isPresent();
    }

    void submit(WriteRequest request) {
        // A client that is refused knows that nothing happened.
        submit(request.table(), request);
    }

    /** Hands in a request; empty where it is refused. */
    Optional<CompletableFuture<List<CommitOutcome>>> submit(String table, CommitRequest request) {
        try {
            CompletableFuture<List<CommitOutcome>> outcomes = committer.submit(request, Duration.ZERO);
            waiting.add(new Waiting(table, outcomes));
            return Optional.of(outcomes);
        } catch (QueueFullException | WritesRefusedException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void commit() {
        crashSafely(() -> committer.doWork());
        crashSafely(() -> sums.doWork());
        waiting.removeIf(this::answered);
    }

    void relay() {
        crashSafely(() -> looks.doWork());
        crashSafely(() -> relay.doWork());
    }

    /** The machine did not run since then; the process on it goes on. */
    void wasSuspendedSince(Instant began) {
        machine.wasSuspendedSince(began);
    }

    /** Somebody asks for a backup, which is refused until topics have been asked. */
    void backUp() {
        if (isUnsettled()) {
            return;
        }
        copy = disk.copy();
        highWaterMarkInCopy = highWaterMark;
    }

    /**
     * The process ends, and the fact tables are put back to the copy, or the whole data directory is.
     */
    void putBack() {
        WriterStores copied = WriterStores.on(copy);
        if (tables.stream().anyMatch(table -> copied.ledger().find(table.name()).isEmpty())
                || copied.facts().lastCommit().version().sequence() == 0) {
            // Neither would be believed: nothing says whose the topic is, or that the tables are these.
            return;
        }
        // Putting back takes longer than a record can be on its way.
        publisher.abandon();
        topics.deliverLate(true);
        disk.putBack(copy);
        chance.meet(CoveragePoint.A_FACT_TABLE_WENT_BACK);
        histories.lostAfter(copied.facts().lastCommit().version());
        if (chance.oneIn(2)) {
            highWaterMark = highWaterMarkInCopy;
        }
        crash();
    }

    /** The process ends, and its machine's clock is set before it is started again; or the power goes, for a second. */
    void crash() {
        chance.meet(CoveragePoint.THE_WRITER_ENDED);
        waiting.clear();
        publisher.abandon();
        clock.advance(Duration.ofSeconds(1));
        Instant goesOn = commitClock.instant();
        boolean powerCut = chance.oneIn(2);
        disk.crash(powerCut ? chance.below(disk.unsynced() + 1) : 0);
        if (powerCut) {
            undoLastCommit.run();
        }
        Clock wall = powerCut ? machine.clock(Duration.between(clock.instant(), goesOn)) : machine.clock(chance);
        commitClock = broken == Rule.THE_COMMIT_CLOCK_GOES_ON
                ? wall
                : CommitClock.over(
                        wall, stores.facts().lastCommit().time(), powerCut ? Optional.empty() : Optional.of(goesOn));
        process++;
        Parts started = start();
        committer = started.committer();
        relay = started.relay();
        looks = started.looks();
        sums = started.sums();
    }

    private Parts start() {
        if (broken != Rule.ANOTHER_EPOCH_FOR_A_LOST_TAIL) {
            beginEpochIfLost();
        }
        highWaterMark = stores.facts().lastCommit();
        FactStore store =
                new FallibleFactStore(stores.facts(), chance, histories, shop, clock, broken, this::rememberDisk);
        Backlog backlog = new Backlog(new BacklogLimits(1_000, 10_000_000));
        backlog.load(stores.outbox());
        status = new RelayStatus();
        Catalog refusing = new Catalog(tables);
        CatalogRules rules = new CatalogRules(() -> refusing, definitions::current, MAX_ROW_BYTES);
        SourceWatermarks sources = new SourceWatermarks(rules, store);
        TableDigestBuilder newSums = new TableDigestBuilder();
        FactDigests digests = new FactDigests(store, definitions::current, newSums, DIGEST_INTERVAL);
        Committer newCommitter = new Committer(
                store,
                digests,
                rules,
                new CommitterLimits(100, 1_000_000, 5, Duration.ofNanos(1)),
                MemoryBudget.unlimited().part("queue", 1),
                status,
                commitClock,
                new CommitListeners(List.of(backlog, told(sources), new Witness())));
        publisher = new SimulatedPublisher(topics, clock, chance);
        boolean forgetful = broken == Rule.TRIM_ONLY_WHAT_IS_PUBLISHED;
        TopicInspector newLooks = new TopicInspector(watched(), topics::asked);
        OutboxRelay newRelay = new OutboxRelay(
                tables,
                name -> true,
                definitions::current,
                new OutboxRelay.Ports(
                        store,
                        forgetful ? new ForgetfulOutbox(stores.outbox()) : stores.outbox(),
                        stores.tombstones(),
                        stores.ledger(),
                        newLooks,
                        tails(),
                        breaking(),
                        new LoneWriter()),
                backlog,
                status,
                newCommitter,
                digests::latest,
                sources,
                MemoryBudget.unlimited().part("publishing", 1),
                new RelaySettings(Duration.ofMillis(200), 20, Duration.ofDays(1), Duration.ofSeconds(30)),
                commitClock);
        return new Parts(newCommitter, newRelay, newLooks, newSums);
    }

    private EventPublisher breaking() {
        return switch (broken) {
            case NEVER_PAST_A_GAP -> new GapIgnoringPublisher(publisher);
            case PUBLISHED_WHEN_ACKNOWLEDGED -> new HastyPublisher(publisher);
            case COMMIT_TIMES_SAY_NOTHING_OF_A_SOURCE -> new SourcelessPublisher(publisher);
            case HEARTBEATS_COME_LAST -> new OvertakingPublisher(publisher);
            case PARTITIONS_AS_RECORDED -> new SpreadingPublisher(publisher, this::onePartitionMore);
            case FIRST_OFFSETS_COUNT_TOO -> new LastOffsetsPublisher(publisher, false);
            case LOST_RECORDS_COME_AGAIN -> new LastOffsetsPublisher(publisher, true);
            case LATE_RECORDS_ARE_PUBLISHED_OVER -> new GapHidingPublisher(publisher);
            default -> publisher;
        };
    }

    private int onePartitionMore(String name) {
        return 1
                + tables.stream()
                        .filter(table -> table.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .partitions();
    }

    /** Where commits are not synced, a power cut takes the last one. */
    private void rememberDisk() {
        if (broken == Rule.SYNC_BEFORE_THE_ANSWER) {
            undoLastCommit = disk.image();
        }
    }

    private void beginEpochIfLost() {
        try {
            EpochRecovery.run(stores.facts(), stores.ledger(), Optional.of(highWaterMark), false);
        } catch (FactsGoneException e) {
            throw new AssertionError(e);
        }
    }

    private Committer.Listener told(SourceWatermarks sources) {
        return broken == Rule.A_SOURCES_WATERMARK_FOLLOWS_ITS_CHANGES
                ? (batch, took) -> sources.committed(
                        new FactBatch(
                                List.of(),
                                new CommitPosition(
                                        RowVersion.NONE, batch.through().time()),
                                Map.of(),
                                batch.sources()),
                        took)
                : sources;
    }

    /** Outlives the disk. */
    private final class Witness implements Committer.Listener {
        @Override
        public void committed(FactBatch batch, Duration took) {
            highWaterMark = batch.through();
        }

        @Override
        public void promised(CommitPosition place) {
            highWaterMark = place;
        }
    }

    private boolean answered(Waiting request) {
        CompletableFuture<List<CommitOutcome>> future = request.outcome();
        History history = histories.of(request.table());
        if (!future.isDone()) {
            return false;
        }
        if (!future.isCompletedExceptionally()) {
            for (CommitOutcome outcome : future.join()) {
                if (outcome instanceof CommitOutcome.Written written) {
                    history.acknowledged(written.version());
                } else if (outcome instanceof CommitOutcome.Deleted deleted) {
                    history.acknowledged(deleted.version());
                }
            }
        }
        return true;
    }

    private void crashSafely(Step step) {
        try {
            step.run();
        } catch (SimulatedCrash e) {
            crash();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private TopicTailReader tails() {
        return switch (broken) {
            case LOST_RECORDS_COME_AGAIN, UNACKNOWLEDGED_RECORDS_HIDE_NO_LOSS -> new TrustingTails(topics);
            default -> topics;
        };
    }

    private ChangeTopics watched() {
        return switch (broken) {
            case LOST_RECORDS_COME_AGAIN -> new UnwatchedTopics(topics);
            case A_CURTAILED_TOPIC_IS_MADE_ANEW -> new UnseenBeginnings(topics);
            default -> topics;
        };
    }

    @FunctionalInterface
    private interface Step {
        void run() throws InterruptedException;
    }
}
