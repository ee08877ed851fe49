package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.QueueFullException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.commit.WritesRefusedException;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.OutboxRelay;
import dev.tidemark.writer.outbox.RelaySettings;
import dev.tidemark.writer.outbox.RelayStatus;
import dev.tidemark.writer.outbox.TopicSpec;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.WriterStores;

/** The writer process: committer and relay over a disk that outlives them. */
final class SimulatedWriter {
    private static final int MAX_ROW_BYTES = 10_000;

    private final InMemoryDisk disk = new InMemoryDisk();
    private final WriterStores stores = WriterStores.on(disk);
    private final TableDefinition table;
    private final SimulatedLog log;
    private final ManualClock clock;
    private final Chance chance;
    private final History history;
    private final Rule broken;
    private final List<CompletableFuture<List<CommitOutcome>>> waiting = new ArrayList<>();
    private Committer committer;
    private OutboxRelay relay;

    SimulatedWriter(
            TableDefinition table, SimulatedLog log, ManualClock clock, Chance chance, History history, Rule broken) {
        this.table = table;
        this.log = log;
        this.clock = clock;
        this.chance = chance;
        this.history = history;
        this.broken = broken;
        Parts started = start();
        this.committer = started.committer();
        this.relay = started.relay();
    }

    private record Parts(Committer committer, OutboxRelay relay) {}

    FactStore facts() {
        return stores.facts();
    }

    /** Whether everything committed has been acknowledged by the log. */
    boolean isDrained() {
        return committer.queuedRequests() == 0
                && stores.outbox().publishedThrough()
                        == stores.facts().lastCommit().version().sequence();
    }

    void submit(WriteRequest request) {
        try {
            waiting.add(committer.submit(request, Duration.ZERO));
        } catch (QueueFullException | WritesRefusedException e) {
            // Refused is refused: the client knows that nothing happened.
            return;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void commit() {
        crashSafely(() -> committer.doWork());
        waiting.removeIf(this::answered);
    }

    void relay() {
        crashSafely(() -> relay.doWork());
    }

    void crash() {
        waiting.clear();
        // A power cut takes longer than the clock needs to pass what was promised before it.
        clock.advance(Duration.ofSeconds(1));
        disk.crash(chance.below(disk.unsynced() + 1));
        Parts started = start();
        committer = started.committer();
        relay = started.relay();
    }

    private Parts start() {
        FactStore store = new FallibleFactStore(stores.facts(), chance, history);
        Backlog backlog = new Backlog(new BacklogLimits(1_000, 10_000_000));
        backlog.load(stores.outbox());
        RelayStatus status = new RelayStatus();
        Committer newCommitter = new Committer(
                store,
                Map.of(table.name(), new RowRules(table, MAX_ROW_BYTES)),
                new CommitterLimits(100, 1_000_000, 5, Duration.ofNanos(1)),
                () -> Optional.empty(),
                clock,
                backlog);
        EventPublisher publisher = new SimulatedPublisher(log, new ChangeCodec(table.name()), clock, chance);
        OutboxRelay newRelay = new OutboxRelay(
                TopicSpec.of(List.of(table)),
                new OutboxRelay.Ports(
                        store,
                        stores.outbox(),
                        stores.tombstones(),
                        stores.ledger(),
                        log,
                        broken == Rule.NEVER_PAST_A_GAP ? new GapIgnoringPublisher(publisher) : publisher),
                backlog,
                status,
                newCommitter::frontier,
                new RelaySettings(Duration.ofMillis(200), 20, Duration.ofDays(1)),
                clock);
        return new Parts(newCommitter, newRelay);
    }

    private boolean answered(CompletableFuture<List<CommitOutcome>> future) {
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

    @FunctionalInterface
    private interface Step {
        void run() throws InterruptedException;
    }
}
