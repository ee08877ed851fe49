package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.CommitBound;
import dev.tidemark.writer.commit.CatalogRules;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommitRequest;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactDigests;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.QueueFullException;
import dev.tidemark.writer.commit.TableDigestBuilder;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteGate;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.commit.WritesRefusedException;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Leadership;
import dev.tidemark.writer.outbox.OutboxRelay;
import dev.tidemark.writer.outbox.RecentChanges;
import dev.tidemark.writer.outbox.RelaySettings;
import dev.tidemark.writer.outbox.RelayStatus;
import dev.tidemark.writer.outbox.SourceWatermarks;
import dev.tidemark.writer.outbox.TopicInspector;
import dev.tidemark.writer.outbox.TopicTailReader;
import dev.tidemark.writer.testkit.WriterStores;

/** The parts of a writer process that commits and publishes: committer and relay. They end with it. */
final class WriterProcess {
    /** How often it publishes when it has nothing to publish. */
    static final Duration HEARTBEAT = Duration.ofMillis(200);

    private static final int MAX_ROW_BYTES = 10_000;

    /** Little, so that some changes come from the heap and some from the outbox. */
    private static final int RECENT_BYTES = 600;

    private static final Duration DIGEST_INTERVAL = Duration.ofMillis(300);

    private final Surroundings around;
    private final String name;
    private final WriterStores stores;
    private final Clock commitClock;
    private final List<Waiting> waiting = new ArrayList<>();
    private final RelayStatus status = new RelayStatus();
    private final SimulatedPublisher publisher;
    private final TableDigestBuilder sums = new TableDigestBuilder();
    private final TopicInspector looks;
    private final Committer committer;
    private final OutboxRelay relay;

    /**
     * A request that waits, to a table.
     *
     * @param asked what a client asked for; empty where a source did
     */
    private record Waiting(
            String table, Optional<WritesAsAsked.Asked> asked, CompletableFuture<List<CommitOutcome>> outcome) {}

    /**
     * A process that begins with what is stored.
     *
     * @param name tells it from every other one
     * @param gate refuses writes, beside what the relay refuses
     */
    WriterProcess(
            Surroundings around,
            String name,
            WriterStores stores,
            WriteGate gate,
            Leadership leadership,
            Clock commitClock,
            Committer.Listener witness) {
        this.around = around;
        this.name = name;
        this.stores = stores;
        this.commitClock = commitClock;
        this.publisher = new SimulatedPublisher(around.topics(), around.clock(), around.chance());
        this.looks = new TopicInspector(watched(), around.topics()::asked);
        Backlog backlog = new Backlog(new BacklogLimits(1_000, 10_000_000));
        RecentChanges outbox = new RecentChanges(stores.outbox(), RECENT_BYTES);
        backlog.load(outbox, stores.ledger(), stores.facts().currentCommit().time());
        SimulatedDefinitions definitions = around.definitions();
        CatalogRules rules = new CatalogRules(definitions::catalog, definitions::current, MAX_ROW_BYTES);
        SourceWatermarks sources = new SourceWatermarks(rules, stores.facts());
        FactDigests digests = new FactDigests(stores.facts(), definitions::current, sums, DIGEST_INTERVAL);
        this.committer = new Committer(
                stores.facts(),
                digests,
                rules,
                new CommitterLimits(100, 1_000_000, 5, Duration.ofNanos(1)),
                MemoryBudget.unlimited().part("queue", 1),
                table -> gate.refusal(table).or(() -> status.refusal(table)),
                commitClock,
                List.of(outbox, backlog, told(sources), witness));
        this.relay = new OutboxRelay(
                around.tables(),
                table -> true,
                definitions::current,
                new OutboxRelay.Ports(
                        stores.facts(),
                        outbox,
                        stores.tombstones(),
                        stores.ledger(),
                        looks,
                        tails(),
                        breaking(),
                        leadership),
                backlog,
                status,
                committer,
                digests::latest,
                sources,
                MemoryBudget.unlimited().part("publishing", 1),
                new RelaySettings(HEARTBEAT, 20, Duration.ofDays(1), Duration.ofSeconds(30)),
                commitClock);
    }

    Instant commitTime() {
        return committer.frontier().time();
    }

    /**
     * Asks for the time, which takes a while.
     *
     * @param unconfirmedFor for how long it is not known whether another writer gives versions; empty where nothing is
     *     said about versions
     */
    ClockReading tellTime(Clock local, Supplier<Optional<Duration>> unconfirmedFor) {
        Instant sent = local.instant();
        takeAMoment();
        Instant now = commitClock.instant();
        takeAMoment();
        RowVersion last = committer.frontier().version();
        Optional<CommitBound> given = unconfirmedFor.get().map(age -> new CommitBound(sent.minus(age), last));
        return new ClockReading(sent, local.instant(), now, name, given);
    }

    void wasSuspendedFor(Duration time) {
        if (time.compareTo(SimulatedLog.LATEST) > 0) {
            publisher.disconnect();
        }
    }

    private void takeAMoment() {
        around.clock().advance(Duration.ofMillis(around.chance().below(20)));
    }

    /** What the commit clock shows. */
    Instant now() {
        return commitClock.instant();
    }

    boolean holdsATable() {
        return !status.held().isEmpty();
    }

    /** Whether everything up to the last commit has been acknowledged by the log. */
    boolean isDrained(long last) {
        return committer.queuedRequests() == 0
                && !holdsATable()
                && stores.outbox().publishedThrough() == last;
    }

    /** Whether no message is under way. */
    boolean isSilent() {
        return publisher.isSilent();
    }

    /** Hands in a request; empty where it is refused. */
    Optional<CompletableFuture<List<CommitOutcome>>> submit(String table, CommitRequest request) {
        try {
            Optional<WritesAsAsked.Asked> asked = request instanceof WriteRequest writes
                    ? Optional.of(around.histories().writes().handedIn(writes))
                    : Optional.empty();
            CompletableFuture<List<CommitOutcome>> outcomes = handIn(request);
            waiting.add(new Waiting(table, asked, outcomes));
            return Optional.of(outcomes);
        } catch (QueueFullException | WritesRefusedException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void commit() throws InterruptedException {
        committer.doWork();
        sums.doWork();
        waiting.removeIf(this::answered);
    }

    void relay() throws InterruptedException {
        looks.doWork();
        relay.doWork();
    }

    /** Commits what waits, and begins nothing after it. */
    void close() {
        committer.onClose();
        waiting.removeIf(this::answered);
    }

    /** The process has ended. */
    void abandon() {
        publisher.abandon();
    }

    private CompletableFuture<List<CommitOutcome>> handIn(CommitRequest request)
            throws QueueFullException, WritesRefusedException, InterruptedException {
        if (request instanceof WriteRequest writes) {
            WriteCommand first = writes.commands().get(0);
            boolean single = writes.commands().size() == 1;
            if (around.broken() == Rule.WHAT_WAS_NOT_FOUND_WAS_NOT_THERE
                    && single
                    && first instanceof WriteCommand.Delete) {
                return CompletableFuture.completedFuture(List.of(new CommitOutcome.NotFound()));
            }
            if (around.broken() == Rule.CONDITIONS_HOLD_AT_THE_COMMIT
                    && single
                    && first instanceof WriteCommand.Put put) {
                boolean holds = put.precondition().holdsFor(stores.facts().find(writes.table(), put.key()));
                WriteCommand early = holds ? put.under(Precondition.NONE) : put;
                return committer.submit(WriteRequest.of(writes.table(), early, writes.bytes()), Duration.ZERO);
            }
        }
        return committer.submit(request, Duration.ZERO);
    }

    private boolean answered(Waiting request) {
        CompletableFuture<List<CommitOutcome>> future = request.outcome();
        History history = around.histories().of(request.table());
        if (!future.isDone()) {
            return false;
        }
        if (!future.isCompletedExceptionally()) {
            request.asked().ifPresent(asked -> around.histories().writes().answered(asked, future.join()));
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

    private EventPublisher breaking() {
        return switch (around.broken()) {
            case NEVER_PAST_A_GAP -> new GapIgnoringPublisher(publisher);
            case PUBLISHED_WHEN_ACKNOWLEDGED -> new HastyPublisher(publisher);
            case COMMIT_TIMES_SAY_NOTHING_OF_A_SOURCE -> new SourcelessPublisher(publisher);
            case HEARTBEATS_COME_LAST -> new OvertakingPublisher(publisher);
            case PARTITIONS_AS_RECORDED -> new SpreadingPublisher(publisher, this::onePartitionMore);
            case FIRST_OFFSETS_COUNT_TOO -> new LastOffsetsPublisher(publisher, false);
            case LOST_RECORDS_COME_AGAIN -> new LastOffsetsPublisher(publisher, true);
            case LATE_RECORDS_ARE_PUBLISHED_OVER -> new GapHidingPublisher(publisher);
            case A_LAYOUT_SPEAKS_ONCE_IT_IS_FULL -> new HastyLayouts(publisher, around.topics());
            default -> publisher;
        };
    }

    private int onePartitionMore(String table) {
        return 1 + around.topics().of(table).partitions().size();
    }

    private Committer.Listener told(SourceWatermarks sources) {
        return around.broken() == Rule.A_SOURCES_WATERMARK_FOLLOWS_ITS_CHANGES
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

    private TopicTailReader tails() {
        return switch (around.broken()) {
            case LOST_RECORDS_COME_AGAIN, UNACKNOWLEDGED_RECORDS_HIDE_NO_LOSS -> new TrustingTails(around.topics());
            default -> around.topics();
        };
    }

    private ChangeTopics watched() {
        return switch (around.broken()) {
            case LOST_RECORDS_COME_AGAIN -> new UnwatchedTopics(around.topics());
            case A_CURTAILED_TOPIC_IS_MADE_ANEW -> new UnseenBeginnings(around.topics());
            default -> around.topics();
        };
    }
}
