package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.writer.commit.CommitClock;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommitRequest;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.outbox.Leadership;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.recovery.EpochRecovery;
import dev.tidemark.writer.recovery.FactsGoneException;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.WriterStores;

/** One writer process after the other, over a disk that outlives them. */
final class WriterOnDisk implements SimulatedWriter {
    private static final int KEPT_FAILS = 300;
    private static final int ENDS_ONE_IN = 3;

    private final InMemoryDisk disk = new InMemoryDisk();
    private final WriterStores stores = WriterStores.on(disk);
    private final Surroundings around;
    private final RandomSource chance;
    private final Machine machine;
    private Clock commitClock;
    private int starts;
    private Runnable undoLastCommit = () -> {};
    private InMemoryDisk copy = new InMemoryDisk();
    private CommitPosition highWaterMark = stores.facts().lastCommit();
    private CommitPosition highWaterMarkInCopy = highWaterMark;
    private FallibleFactStore fallible;
    private WriterProcess process;

    WriterOnDisk(Surroundings around) {
        this.around = around;
        this.chance = around.chance();
        this.machine = new Machine(around.clock(), around.broken());
        this.commitClock = CommitClock.over(machine.clock(chance), Instant.EPOCH, Optional.empty());
        this.fallible = fallible();
        this.process = start();
    }

    @Override
    public Optional<Instant> commitTime() {
        return Optional.of(process.commitTime());
    }

    @Override
    public Optional<ClockReading> tellTime(Clock local) {
        return Optional.of(
                process.tellTime(local, () -> isUnsettled() ? Optional.empty() : Optional.of(Duration.ZERO)));
    }

    @Override
    public void meet() {
        if (isUnsettled()) {
            chance.meet(CoveragePoint.TOPICS_ARE_BEING_ASKED);
        }
        if (process.holdsATable()) {
            chance.meet(CoveragePoint.A_TABLE_IS_HELD);
        }
        if (facts().lastCommit().version().epoch() > 1) {
            chance.meet(CoveragePoint.ANOTHER_EPOCH);
        }
    }

    @Override
    public FactStore facts() {
        return stores.facts();
    }

    @Override
    public boolean isDrained() {
        return process.isDrained(facts().lastCommit().version().sequence());
    }

    @Override
    public boolean isUnsettled() {
        return stores.ledger().unsettled().isPresent();
    }

    @Override
    public void submit(WriteRequest request) {
        submit(request.table(), request);
    }

    @Override
    public Optional<CompletableFuture<List<CommitOutcome>>> submit(String table, CommitRequest request) {
        return process.submit(table, request);
    }

    @Override
    public void commit() {
        crashSafely(process::commit);
    }

    @Override
    public void relay() {
        crashSafely(process::relay);
    }

    @Override
    public void wasSuspendedSince(Instant began) {
        machine.wasSuspendedSince(began);
    }

    /** Refused until topics have been asked. */
    @Override
    public void backUp() {
        if (isUnsettled()) {
            return;
        }
        copy = disk.copy();
        highWaterMarkInCopy = highWaterMark;
    }

    /** The process ends, and the fact tables are put back to the copy, or the whole data directory is. */
    @Override
    public void putBack() {
        WriterStores copied = WriterStores.on(copy);
        if (around.tables().stream()
                        .anyMatch(table -> copied.ledger().find(table.name()).isEmpty())
                || copied.facts().lastCommit().version().sequence() == 0) {
            // Neither would be believed: nothing says whose the topic is, or that the tables are these.
            return;
        }
        // Putting back takes longer than a record can be on its way.
        process.abandon();
        around.topics().deliverLate(true);
        disk.putBack(copy);
        fallible = fallible();
        around.topics().factsWentBack();
        chance.meet(CoveragePoint.A_FACT_TABLE_WENT_BACK);
        around.histories().lostAfter(copied.facts().lastCommit().version());
        if (chance.oneIn(2)) {
            highWaterMark = highWaterMarkInCopy;
        }
        crash();
    }

    /** Its machine's clock is set before it is started again; or the power goes, for a second. */
    @Override
    public void crash() {
        chance.meet(CoveragePoint.THE_WRITER_ENDED);
        process.abandon();
        around.clock().advance(Duration.ofSeconds(1));
        Instant goesOn = process.now();
        boolean powerCut = chance.oneIn(2);
        int lost = powerCut ? chance.below(disk.unsynced() + 1) : 0;
        disk.crash(lost);
        if (lost == 0) {
            fallible.openedAgain();
        }
        fallible = fallible();
        if (powerCut) {
            undoLastCommit.run();
        }
        Clock wall =
                powerCut ? machine.clock(Duration.between(around.clock().instant(), goesOn)) : machine.clock(chance);
        commitClock = around.broken() == Rule.THE_COMMIT_CLOCK_GOES_ON
                ? wall
                : CommitClock.over(
                        wall, stores.facts().lastCommit().time(), powerCut ? Optional.empty() : Optional.of(goesOn));
        starts++;
        process = start();
    }

    private WriterProcess start() {
        if (around.broken() != Rule.ANOTHER_EPOCH_FOR_A_LOST_TAIL) {
            beginEpochIfLost();
        }
        highWaterMark = stores.facts().lastCommit();
        Outbox outbox = around.broken() == Rule.TRIM_ONLY_WHAT_IS_PUBLISHED
                ? new ForgetfulOutbox(stores.outbox())
                : stores.outbox();
        PortFaults faults = new PortFaults(chance, CoveragePoint.WHAT_THE_RELAY_KEEPS_FAILED, KEPT_FAILS);
        FallibleFactStore facts = fallible;
        WriterProcess started = new WriterProcess(
                around,
                Integer.toString(starts),
                new WriterStores(
                        facts,
                        new FallibleOutbox(outbox, faults),
                        new FallibleTombstones(stores.tombstones(), faults),
                        new FallibleLedger(stores.ledger(), faults),
                        stores.definitions()),
                table -> facts.hasFailed() ? Optional.of("the disk failed") : Optional.empty(),
                new Publishing(facts),
                commitClock,
                new Witness());
        faults.begin();
        return started;
    }

    private FallibleFactStore fallible() {
        return new FallibleFactStore(
                stores.facts(),
                chance,
                around.histories(),
                around.shop(),
                around.clock(),
                around.broken(),
                this::rememberDisk);
    }

    /** A process whose disk failed ends soon, and publishes nothing until then. */
    private void endIfTheDiskFailed() {
        if (fallible.hasFailed() && chance.oneIn(ENDS_ONE_IN)) {
            crash();
        }
    }

    /** Where commits are not synced, a power cut takes the last one. */
    private void rememberDisk() {
        if (around.broken() == Rule.SYNC_BEFORE_THE_ANSWER) {
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

    private static final class Publishing implements Leadership {
        private final FallibleFactStore facts;

        Publishing(FallibleFactStore facts) {
            this.facts = facts;
        }

        @Override
        public boolean isHeld() {
            return !facts.hasFailed();
        }

        @Override
        public long leastEpoch() {
            return 0;
        }
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

    private void crashSafely(Step step) {
        try {
            step.run();
            endIfTheDiskFailed();
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
