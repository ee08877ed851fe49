package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.writer.commit.CommitClock;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommitRequest;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.leader.Claim;
import dev.tidemark.writer.leader.LeaderAgent;
import dev.tidemark.writer.leader.LeaderState;
import dev.tidemark.writer.leader.TermAgent;
import dev.tidemark.writer.outbox.Leadership;
import dev.tidemark.writer.postgres.InMemoryPostgres;
import dev.tidemark.writer.postgres.InMemoryPostgresDatabase;
import dev.tidemark.writer.recovery.EpochRecovery;
import dev.tidemark.writer.recovery.FactsGoneException;
import dev.tidemark.writer.testkit.WriterStores;

/** A machine with one writer process after the other, each of which stands by until it is its turn. */
final class SharedWriter {
    private static final int RESUMED_ONE_IN = 10;
    private static final int ENDS_ONE_IN = 3;

    /** A process does not start in less. */
    private static final Duration START = Duration.ofSeconds(1);

    private final Surroundings around;
    private final RandomSource chance;
    private final InMemoryPostgres server;
    private final Claims claims;
    private final String place;
    private final Machine machine;
    private int started;
    private Instant runsFrom = Instant.MIN;
    private InMemoryPostgresDatabase database;
    private TermAgent term;
    private LeaderState leader;
    private @Nullable LeaderAgent leaderAgent;
    private @Nullable WriterProcess process;
    private @Nullable Instant suspendedSince;
    private boolean wentOnAfterItWasReplaced;

    /** In a file of its own. */
    private Optional<CommitPosition> highWaterMark = Optional.empty();

    /** The commit clock of an earlier run here, which another file carries on. */
    private Optional<Clock> anchor = Optional.empty();

    private record Parts(InMemoryPostgresDatabase database, TermAgent term, LeaderState leader) {}

    SharedWriter(Surroundings around, InMemoryPostgres server, Claims claims, String place) {
        this.around = around;
        this.chance = around.chance();
        this.server = server;
        this.claims = claims;
        this.place = place;
        this.machine = new Machine(around.clock(), around.broken());
        Parts parts = start();
        this.database = parts.database();
        this.term = parts.term();
        this.leader = parts.leader();
    }

    private Parts start() {
        started++;
        Clock wall = machine.clock(Duration.ZERO);
        InMemoryPostgresDatabase opened = server.open();
        String name = name();
        return new Parts(
                opened,
                new TermAgent(opened.terms().orElseThrow(), "http://" + place, name, () -> {}, wall),
                new LeaderState(WriterProcess.HEARTBEAT, wall));
    }

    private LeaderAgent leaderAgent() {
        Clock wall = machine.clock(Duration.ZERO);
        return new LeaderAgent(
                new Claim(name(), database.identity().orElseThrow(), place, wall.instant(), 0),
                database.facts().currentCommit().version().epoch(),
                claims,
                around.topics()::published,
                leader,
                wall);
    }

    private String name() {
        return place + "-" + started;
    }

    boolean wentOnAfterItWasReplaced() {
        return wentOnAfterItWasReplaced;
    }

    boolean isAwake() {
        return suspendedSince == null;
    }

    /** Whether the process takes itself for the active one. */
    boolean isAtWork() {
        return process != null && term.isHeld() && database.failure().isEmpty() && leader.isHeld();
    }

    boolean isDrained(long last) {
        return process != null && process.isDrained(last);
    }

    /** Whether no message of it is under way. */
    boolean isSilent() {
        return process == null || process.isSilent();
    }

    Optional<Instant> commitTime() {
        return Optional.ofNullable(process).map(WriterProcess::commitTime);
    }

    Optional<ClockReading> tellTime(Clock local) {
        try {
            return Optional.ofNullable(process)
                    .map(active -> active.tellTime(
                            local,
                            () -> database.ledger().unsettled().isPresent()
                                    ? Optional.empty()
                                    : leader.unconfirmedFor()));
        } catch (FactsUnavailableException e) {
            return Optional.empty();
        }
    }

    Optional<CompletableFuture<List<CommitOutcome>>> submit(String table, CommitRequest request) {
        return Optional.ofNullable(process).flatMap(active -> active.submit(table, request));
    }

    /** The machine does not run from now on, until a step some time later. */
    void suspend() {
        if (isAwake()) {
            chance.meet(CoveragePoint.THE_WRITER_WAS_SUSPENDED);
            suspendedSince = around.clock().instant();
        }
    }

    void wasSuspendedSince(Instant began) {
        machine.wasSuspendedSince(began);
    }

    /** All that the process does beside committing and publishing. */
    void step() {
        if (around.clock().instant().isBefore(runsFrom)) {
            return;
        }
        if (suspendedSince != null) {
            if (chance.hasFaults() && !chance.oneIn(RESUMED_ONE_IN)) {
                return;
            }
            machine.wasSuspendedSince(suspendedSince);
            if (process != null) {
                process.wasSuspendedFor(
                        Duration.between(suspendedSince, around.clock().instant()));
            }
            suspendedSince = null;
            wentOnAfterItWasReplaced |= process != null && !server.isHeldBy(name());
            if (chance.hasFaults()) {
                // Its other threads run first, and do not know yet that they were suspended.
                return;
            }
        }
        boolean over = database.failure().isPresent()
                || term.lost().isPresent()
                || leader.replaced().isPresent();
        if (over && chance.oneIn(ENDS_ONE_IN)) {
            chance.meet(CoveragePoint.A_WRITER_WAS_DISPLACED);
            crash();
        }
        crashSafely(this::takeTurns);
    }

    private void takeTurns() throws InterruptedException {
        term.doWork();
        if (process == null && term.isHeld()) {
            takeOver();
        }
        if (process != null && leaderAgent != null) {
            leader.runs();
            leaderAgent.doWork();
        }
    }

    private void takeOver() {
        try {
            leaderAgent = leaderAgent();
            if (around.broken() != Rule.A_TAKE_OVER_SETTLES_FIRST) {
                EpochRecovery.run(database.facts(), database.ledger(), highWaterMark, database.isOtherCopy());
            }
            CommitPosition last = database.facts().lastCommit();
            highWaterMark = Optional.of(last);
            Optional<Instant> continued = continuedClock();
            around.clock().advance(CommitClock.untilPromised(last.time(), continued));
            Clock clock = CommitClock.over(machine.clock(chance), last.time(), continued);
            anchor = Optional.of(clock);
            database.keepClock(clock);
            process = new WriterProcess(
                    around,
                    name(),
                    new WriterStores(
                            database.facts(),
                            database.outbox(),
                            database.tombstones(),
                            database.ledger(),
                            database.definitions()),
                    table -> database.failure().or(term::lost).or(leader::refusal),
                    new Publishing(),
                    clock,
                    new Witness());
            chance.meet(CoveragePoint.A_WRITER_TOOK_OVER);
        } catch (FactsUnavailableException e) {
            crash();
        } catch (FactsGoneException e) {
            throw new AssertionError(e);
        }
    }

    private Optional<Instant> continuedClock() {
        if (around.broken() == Rule.THE_CLOCK_IS_TAKEN_OVER) {
            return Optional.empty();
        }
        return Stream.of(database.continuedClock(), anchor.map(Clock::instant))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder());
    }

    void commit() {
        crashSafely(() -> {
            if (process != null) {
                chance.failpoint(CoveragePoint.BEFORE_A_FACT_COMMIT);
                process.commit();
            }
        });
    }

    void relay() {
        crashSafely(() -> {
            if (process != null) {
                process.relay();
            }
        });
    }

    /** The process ends, in order or not, and another one starts. */
    void crash() {
        chance.meet(CoveragePoint.THE_WRITER_ENDED);
        if (isAwake() && chance.oneIn(2)) {
            endInOrder();
        }
        if (process != null) {
            process.abandon();
            process = null;
        }
        suspendedSince = null;
        runsFrom = around.clock().instant().plus(START);
        Parts parts = start();
        database = parts.database();
        term = parts.term();
        leader = parts.leader();
    }

    private void endInOrder() {
        try {
            if (process != null) {
                process.close();
            }
            term.giveUp();
        } catch (SimulatedCrash e) {
            chance.meet(CoveragePoint.AFTER_A_FACT_COMMIT);
        }
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

    private final class Publishing implements Leadership {
        @Override
        public boolean isHeld() {
            return isAtWork();
        }

        @Override
        public long leastEpoch() {
            return leader.leastEpoch();
        }
    }

    private final class Witness implements Committer.Listener {
        @Override
        public void committed(FactBatch batch, Duration took) {
            chance.failpoint(CoveragePoint.AFTER_A_FACT_COMMIT);
            highWaterMark = Optional.of(batch.through());
        }

        @Override
        public void promised(CommitPosition position) {
            highWaterMark = Optional.of(position);
        }
    }
}
