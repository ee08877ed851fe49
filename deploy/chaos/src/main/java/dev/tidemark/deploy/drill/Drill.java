package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.drill.fault.FaultContext;
import dev.tidemark.deploy.drill.fault.FaultEnvironment;
import dev.tidemark.deploy.drill.fault.FaultInjector;
import dev.tidemark.deploy.drill.fault.FaultStats;
import dev.tidemark.deploy.drill.fault.ProcessSupervisor;
import dev.tidemark.deploy.drill.fault.SecondWorker;
import dev.tidemark.deploy.drill.fault.ServiceFailpoint;
import dev.tidemark.deploy.drill.history.DrillFindings;
import dev.tidemark.deploy.drill.history.ExpectedState;
import dev.tidemark.deploy.drill.history.HistoryLog;
import dev.tidemark.deploy.drill.history.HistoryRecorder;
import dev.tidemark.deploy.drill.history.RowKey;
import dev.tidemark.deploy.drill.load.ClientGate;
import dev.tidemark.deploy.drill.load.DrillTables;
import dev.tidemark.deploy.drill.load.Workload;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.oracle.Write;
import dev.tidemark.deploy.probe.CannotProbeException;
import dev.tidemark.deploy.probe.NoAnswerException;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeSettings;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackListener;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/**
 * One drill. Each round injects faults while clients write and ask, brings everything back, lets the clients rest,
 * waits for lag zero, and compares.
 */
public final class Drill {
    private static final Duration HEAL_PATIENCE = Duration.ofSeconds(60);
    /** Building an index has a lower priority than other work, so it takes long on a busy machine. */
    private static final Duration SETTLE_PATIENCE = Duration.ofMinutes(4);

    private static final Duration STEP = Duration.ofMillis(50);
    private static final String POISONED = "people";

    private final DrillPlan plan;
    private final LocalStack stack;
    private final Clock clock;
    private final BiConsumer<DrillReport, Duration> listener;
    private final FaultStats faultStats = new FaultStats();
    private final DrillFindings findings = new DrillFindings();
    private final ClientGate gate = new ClientGate();
    private final Instant begun;
    private final DrillTarget target;
    private final HistoryRecorder books;
    private final Inspection inspection;
    private final SecondWorker second;
    private final FaultInjector injector;
    private BiConsumer<Instant, Instant> lost = (copied, until) -> {};
    private int rounds;

    /** What is done to the processes in one round. */
    private interface Faults {
        void inject() throws InterruptedException;
    }

    private Drill(
            DrillPlan plan,
            LocalStack stack,
            FaultEnvironment around,
            DrillTools tools,
            int secondPort,
            HistoryLog log,
            Clock clock,
            BiConsumer<DrillReport, Duration> listener)
            throws IOException {
        this.plan = plan;
        this.listener = listener;
        this.stack = stack;
        this.clock = clock;
        this.begun = clock.instant();
        this.target = new DrillTarget(
                tools.callers().at(stack.writerUrl(), DrillTarget.PATIENCE),
                tools.callers().at(stack.workerUrl(), DrillTarget.PATIENCE));
        this.books = new HistoryRecorder(new ExpectedState(), log, findings, clock);
        this.inspection = new Inspection(target, books);
        this.second = SecondWorker.beside(stack, "second", secondPort);
        FaultContext context = new FaultContext(
                stack,
                new ProcessSupervisor(stack, faultStats, books),
                books,
                gate,
                target,
                tools.tamper().apply(stack.bootstrapServers()),
                DrillTables.WRITTEN.stream().map(DrillTables::table).toList(),
                DrillTables.table(POISONED),
                (copied, until) -> lost.accept(copied, until),
                new Random(plan.seed()));
        this.injector = new FaultInjector(context, second, around, faultStats);
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
        try (FaultEnvironment around = FaultEnvironment.of(plan.faults(), stacks.settings(), stacks.secondPort());
                LocalStack stack = LocalStack.start(
                        stacks.installation(), around.settings(), tools.readiness(), StackListener.SILENT);
                HistoryLog log = new HistoryLog(stacks.directory().resolve("history.jsonl"), clock)) {
            Drill drill = new Drill(plan, stack, around, tools, stacks.secondPort(), log, clock, listener);
            List<URI> workers = new ArrayList<>(around.otherWorkers());
            workers.addAll(List.of(stack.workerUrl(), URI.create("http://127.0.0.1:" + stacks.secondPort())));
            return drill.run(tools, workers);
        }
    }

    /**
     * Runs all of it.
     *
     * @param workers everybody who may be given shards: what none of them showed was not to be seen
     */
    private DrillReport run(DrillTools tools, List<URI> workers) throws StackException, InterruptedException {
        ProbeTarget probed = ProbeTarget.at(tools.callers(), stack.writerUrl(), workers);
        try (second;
                Probe probe = Probe.start(probed, ProbeSettings.usual(), clock);
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
        } catch (CannotProbeException | NoAnswerException e) {
            throw new StackException("the prober cannot begin: " + e.getMessage());
        }
    }

    /** Kills services at every place as often as planned; whether the system came back each time. */
    private boolean walk(Workload load) throws InterruptedException {
        boolean settled = true;
        for (int i = 1; settled && i <= plan.walk().times(); i++) {
            int times = i;
            settled = settled(load, () -> {
                List<ServiceFailpoint> missed =
                        injector.walk(plan.walked(), times, plan.walk().most());
                if (!missed.isEmpty()) {
                    findings.differ(List.of("walk " + times + ": no service came to its end at "
                            + missed.stream().map(ServiceFailpoint::label).toList() + " in "
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
    private boolean settled(Workload load, Faults faults) throws InterruptedException {
        Instant start = clock.instant();
        faults.inject();
        boolean back = injector.heal(HEAL_PATIENCE);
        if (!back) {
            findings.differ(List.of("round " + rounds + ": not all processes are ready after "
                    + HEAL_PATIENCE.toSeconds() + " s without faults"));
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
                    committed = inspection.now();
                }
                if (committed.isBefore(Instant.MAX)) {
                    inspection.requireLagZero(load.catalog(), committed);
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

    /** Overwrites the rows that have an unreadable record with a valid write, which clears the quarantine. */
    private void overwritePoison() throws IOException, InterruptedException {
        for (String name : injector.poisoned()) {
            RowKey key = new RowKey(List.of(name));
            Write write = Write.put(
                    key.toString(), RowJson.mapper().createObjectNode().put("personId", name));
            HistoryRecorder.Pending pending = books.begin(POISONED, key, write);
            try {
                pending.answered(target.write("PUT", POISONED, key.parts(), write.body()));
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
                faultStats.killed(),
                faultStats.atPlaces(),
                faultStats.faults(),
                faultStats.skipped(),
                findings.counted(),
                Optional.ofNullable(probe),
                findings.found(),
                findings.differences(),
                stack.settings().data());
    }
}
