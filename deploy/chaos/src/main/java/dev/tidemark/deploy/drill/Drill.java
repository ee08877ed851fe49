package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.oracle.RowTimeline.Write;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.Probe.CannotProbeException;
import dev.tidemark.deploy.probe.Probe.ProbeSettings;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackListener;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.BoundedWait;

/**
 * One drill. Each round injects faults while clients write and ask, brings everything back, lets the clients rest,
 * waits for lag zero, and compares.
 */
public final class Drill {
    /** A topic that has lost records is noticed, waits until what was sent to it has failed, and is filled again. */
    private static final Duration HEAL_PATIENCE = Duration.ofMinutes(2);

    /** Added for each worker but the first: they share the processors with the broker, which has to come back. */
    private static final Duration HEAL_WORKER = Duration.ofSeconds(20);

    /** Building an index has a lower priority than other work, so it takes long on a busy machine. */
    private static final Duration SETTLE_PATIENCE = Duration.ofMinutes(4);

    private static final Duration STEP = Duration.ofMillis(50);

    private final DrillPlan plan;
    private final LocalStack stack;
    private final DrillTools tools;
    private final Clock clock;
    private final BiConsumer<DrillReport, Duration> listener;
    private final FaultStats faultStats = new FaultStats();
    private final DrillFindings findings = new DrillFindings();
    private final Workload.ClientGate gate = new Workload.ClientGate();
    private final Instant begun;
    private final DrillTarget target;
    private final HistoryRecorder books;
    private final Inspection inspection;
    private final GroupWorkers others;
    private final FaultInjector injector;
    private BiConsumer<Instant, Instant> lost = (copied, until) -> {};
    private int rounds;
    private boolean repairs;

    private Drill(
            DrillPlan plan,
            LocalStack stack,
            FaultEnvironment around,
            DrillTools tools,
            HistoryRecorder.HistoryLog log,
            Clock clock,
            BiConsumer<DrillReport, Duration> listener)
            throws IOException {
        this.plan = plan;
        this.listener = listener;
        this.stack = stack;
        this.tools = tools;
        this.clock = clock;
        this.begun = clock.instant();
        this.others = around.groupWorkers(stack, plan.groups(), tools.readiness(), findings);
        List<ServiceCaller> own = callers(List.of(stack.workerUrl()), DrillTarget.PATIENCE);
        this.target = new DrillTarget(
                writers(DrillTarget.PATIENCE),
                DrillTarget.inTurn(both(own, callers(others.urls(), DrillTarget.PATIENCE))),
                both(own, callers(others.copies(), DrillTarget.PATIENCE)));
        this.books = new HistoryRecorder(new ExpectedState(), log, findings, clock);
        this.inspection = new Inspection(target, books);
        FaultEnvironment.FaultContext context = new FaultEnvironment.FaultContext(
                stack,
                new ProcessSupervisor(stack, faultStats, books),
                others,
                books,
                gate,
                target,
                tools.tamper().apply(stack.bootstrapServers()),
                (copied, until) -> lost.accept(copied, until),
                new Random(plan.seed()));
        this.injector = new FaultInjector(context, around, faultStats);
    }

    private List<ServiceCaller> callers(List<URI> urls, Duration patience) {
        return urls.stream().map(url -> tools.callers().at(url, patience)).toList();
    }

    private ServiceCaller writers(Duration patience) {
        return DrillTarget.inTurn(callers(stack.endpoints().writers(), patience));
    }

    private static List<ServiceCaller> both(List<ServiceCaller> some, List<ServiceCaller> more) {
        return Stream.of(some, more).flatMap(List::stream).toList();
    }

    /**
     * Runs a drill in a directory, which must be empty.
     *
     * @param listener gets the report of all rounds so far and the time of the last round, after each round
     * @throws StackException when the stack does not come up at the beginning
     */
    public static DrillReport run(
            DrillPlan plan,
            DrillStack stacks,
            DrillTools tools,
            Clock clock,
            BiConsumer<DrillReport, Duration> listener)
            throws StackException, IOException, InterruptedException {
        try (FaultEnvironment around = FaultEnvironment.of(plan.faults(), stacks.settings());
                LocalStack stack = LocalStack.start(
                        stacks.installation(), around.settings(), tools.readiness(), StackListener.SILENT);
                HistoryRecorder.HistoryLog log =
                        new HistoryRecorder.HistoryLog(stacks.directory().resolve("history.jsonl"), clock)) {
            Drill drill = new Drill(plan, stack, around, tools, log, clock, listener);
            List<URI> workers = new ArrayList<>(around.otherWorkers());
            workers.add(stack.workerUrl());
            workers.addAll(drill.others.urls());
            return drill.run(workers);
        }
    }

    /**
     * Runs all of it.
     *
     * @param workers everybody who may be given shards, in any replica group: what none of them showed was not to be
     *     seen
     */
    private DrillReport run(List<URI> workers) throws StackException, InterruptedException {
        try (others) {
            if (!others.start(SETTLE_PATIENCE)) {
                throw new StackException("the other workers are not ready after " + SETTLE_PATIENCE.toSeconds() + " s");
            }
            return run(new ProbeTarget(writers(Probe.PATIENCE), callers(workers, Probe.PATIENCE)));
        }
    }

    private DrillReport run(ProbeTarget probed) throws StackException, InterruptedException {
        try (Probe probe = Probe.start(probed, ProbeSettings.usual(), clock);
                Workload load = Workload.start(target, books, gate, plan.seed())) {
            lost = probe::lost;
            if (walk(load)) {
                rounds(load);
            }
            load.stop();
            ProbeReport found = probe.stop();
            long under = found.underReported();
            findings.differ(
                    under == 0
                            ? List.of()
                            : List.of("the lag was reported too small " + under + " times: " + found.lies()));
            return report(found);
        } catch (CannotProbeException | IOException e) {
            throw new StackException("the prober cannot begin: " + e.getMessage());
        }
    }

    /** Kills services at every place as often as planned; whether the system came back each time. */
    private boolean walk(Workload load) throws InterruptedException {
        boolean settled = true;
        for (int i = 1; settled && i <= plan.walk().times(); i++) {
            int times = i;
            settled = settled(load, () -> {
                List<FaultStats.ServiceFailpoint> missed =
                        injector.walk(plan.walked(), times, plan.walk().most());
                if (!missed.isEmpty()) {
                    findings.differ(List.of("walk " + times + ": no service came to its end at "
                            + missed.stream()
                                    .map(FaultStats.ServiceFailpoint::label)
                                    .toList() + " in "
                            + plan.walk().most().toSeconds() + " s"));
                }
            });
        }
        return settled;
    }

    private void rounds(Workload load) throws InterruptedException {
        Instant end = plan.time().map(clock.instant()::plus).orElse(Instant.MAX);
        boolean settled = true;
        for (int i = 0; settled && i < plan.rounds() && clock.instant().isBefore(end); i++) {
            int round = plan.turn(i);
            settled = settled(load, () -> injector.round(round, plan.round(), plan.faults()));
        }
    }

    /** Whether the system came back, so that another round makes sense. */
    private boolean settled(Workload load, Agent.Step faults) throws InterruptedException {
        Instant start = clock.instant();
        faults.run();
        Duration patience =
                HEAL_PATIENCE.plus(HEAL_WORKER.multipliedBy(plan.groups().all() - 1));
        boolean back = injector.heal(patience);
        if (!back) {
            findings.differ(List.of("round " + rounds + ": not all processes are ready after " + patience.toSeconds()
                    + " s without faults"));
        }
        gate.shut();
        boolean settled = back && settle(load);
        gate.open();
        rounds++;
        findings.differ(load.failures());
        listener.accept(report(null), Duration.between(start, clock.instant()));
        return settled;
    }

    /** Waits until all is well, in bounded time, and compares. */
    private boolean settle(Workload load) throws InterruptedException {
        Instant end = clock.instant().plus(SETTLE_PATIENCE);
        String last = "the clients do not rest";
        Instant committed = Instant.MAX;
        while (clock.instant().isBefore(end)) {
            injector.lookAfter();
            try {
                if (committed.equals(Instant.MAX) && gate.isEmpty() && load.bringCatalogInForce()) {
                    overwritePoison();
                    committed = target.writer().commitClock();
                }
                if (committed.isBefore(Instant.MAX)) {
                    inspection.requireLagZero(load.catalog(), committed);
                    repairPoisoned();
                    inspection.compare(load.catalog());
                    books.ledger().settled(clock.instant());
                    return true;
                }
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
            }
            BoundedWait.rest(STEP);
        }
        findings.differ(List.of("round " + rounds + ": not settled " + SETTLE_PATIENCE.toSeconds()
                + " s after the last write, without faults: " + last));
        return false;
    }

    /** A true write does not take the place of a forged one with a later version. */
    private void repairPoisoned() throws IOException, InterruptedException {
        if (repairs) {
            inspection.repair(DrillTables.PEOPLE);
            repairs = false;
        }
    }

    /** Overwrites the rows that have an unreadable record with a valid write, which clears the quarantine. */
    private void overwritePoison() throws IOException, InterruptedException {
        for (String name : injector.poisoned()) {
            repairs = true;
            ExpectedState.RowKey key = new ExpectedState.RowKey(List.of(name));
            Write write = Write.put(key.toString(), DrillTables.victim(name, "healed"));
            HistoryRecorder.Pending pending = books.begin(DrillTables.PEOPLE, key, write);
            // The writer may find the strange record only now, and commits the row once more then.
            books.ledger().of(DrillTables.PEOPLE, key).mayBeRecommitted(Instant.MIN);
            try {
                pending.answered(target.writer().write("PUT", DrillTables.PEOPLE, key.parts(), write.body()));
            } catch (IOException e) {
                pending.unknown(e.toString());
                throw e;
            }
        }
    }

    private DrillReport report(@Nullable ProbeReport probe) {
        return new DrillReport(
                plan.seed(),
                rounds,
                Duration.between(begun, clock.instant()),
                faultStats,
                findings,
                Optional.ofNullable(probe),
                stack.settings().data());
    }

    /**
     * The stack of a drill: what comes seldom in production comes every few seconds in it.
     *
     * @param directory of everything
     * @param postgresql whether two writers share fact tables in a PostgreSQL; otherwise one has them in RocksDB
     */
    public record DrillStack(Installation installation, Path directory, boolean postgresql) {
        private static final Duration START_PATIENCE = Duration.ofSeconds(60);

        /** How the stack is set up, on free ports; writes the catalog. */
        StackSettings settings() throws IOException {
            Path catalog = directory.resolve("catalog.yaml");
            Files.createDirectories(directory);
            Files.writeString(catalog, DrillTables.catalog(0));
            StackSettings plain = StackSettings.of(directory.resolve("stack"), catalog, StackPorts.free());
            return (postgresql ? plain.withOwnPostgresql().withWriters(2) : plain)
                    .withStartPatience(START_PATIENCE)
                    .with(Role.WRITER, "outbox.retain.records", "100")
                    .with(Role.WRITER, "tombstone.delay", "2s")
                    .with(Role.WORKER, "rollback.window", "1s")
                    .with(Role.WORKER, "verify.interval", "5s")
                    .with(Role.WORKER, "kafka.session.timeout.ms", "3000");
        }
    }

    /**
     * What a drill needs of the outside. Any thread may call it.
     *
     * @param readiness asks a started process whether it serves
     * @param callers gives access to the services, for the clients and the prober
     * @param tamper gives access to the change topics at brokers
     */
    public record DrillTools(ReadinessProbe readiness, ServiceCallers callers, Function<String, TopicTamper> tamper) {}
}
