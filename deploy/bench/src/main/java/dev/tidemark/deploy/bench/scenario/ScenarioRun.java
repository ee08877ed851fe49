package dev.tidemark.deploy.bench.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/** Starts a separate stack, runs one scenario on it, and deletes its data. */
public final class ScenarioRun {
    private static final Path CATALOG = Path.of("deploy", "bench", "scripts", "catalog.yaml");

    private final ReadinessProbe probe;
    private final Suite.Maker suites;
    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress receives each finished step, as one line */
    public ScenarioRun(ReadinessProbe probe, Suite.Maker suites, Clock clock, Consumer<String> progress) {
        this.probe = probe;
        this.suites = suites;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Runs it all.
     *
     * @param parent where to make the temporary directory; its disk is the one that is synced
     * @return what was found; without outcomes when a tool is missing that the course needs
     */
    public ScenarioReport run(Scenario scenario, ScenarioSize size, Path parent)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(clock);
        Suite suite = suites.of(scenario);
        Optional<String> obstacle = suite.obstacle();
        if (obstacle.isPresent()) {
            return new ScenarioReport(machine, scenario, size, List.of(), List.of("Left out: " + obstacle.get() + "."));
        }
        Installation installation = Installation.locate().requireBuilt();
        try (ScratchDirectory scratch = ScratchDirectory.below(parent)) {
            // PostgreSQL may run under another account, which has to get at its own directory in here.
            Files.setPosixFilePermissions(scratch.path(), PosixFilePermissions.fromString("rwx--x--x"));
            // Compaction would make a topic shorter from one round to the next.
            StackSettings settings = StackSettings.of(
                            scratch.path(), installation.home().resolve(CATALOG), StackPorts.free())
                    .with(Role.BROKER, "log.cleaner.enable", "false");
            for (Map.Entry<String, String> setting : scenario.workerSettings().entrySet()) {
                settings = settings.with(Role.WORKER, setting.getKey(), setting.getValue());
            }
            try (LocalStack stack = LocalStack.startDisposable(installation, settings, probe)) {
                return race(
                        machine,
                        suite,
                        scenario,
                        new ScenarioContext(installation, stack, scratch.path(), size, clock));
            }
        }
    }

    private ScenarioReport race(Machine machine, Suite suite, Scenario scenario, ScenarioContext context)
            throws BenchException, IOException, InterruptedException {
        progress.accept(scenario.label() + ": the stack is up, and gets its rows");
        try (Contender tidemark = suite.tidemark(context)) {
            Optional<Contender> peer = suite.peer(context);
            try {
                List<FigureResult> outcomes =
                        new ScenarioRounds(scenario, context.size(), progress).run(tidemark, peer);
                List<String> leftOut = peer.isPresent()
                        ? List.of()
                        : List.of("Left out: " + scenario.peer() + "; " + suite.remedy(context.installation()) + ".");
                return new ScenarioReport(machine, scenario, context.size(), outcomes, leftOut);
            } finally {
                peer.ifPresent(Contender::close);
            }
        }
    }
}
