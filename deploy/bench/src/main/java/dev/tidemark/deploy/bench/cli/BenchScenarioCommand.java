package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.MarkedSection;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.ScenarioReport;
import dev.tidemark.deploy.bench.scenario.ScenarioRun;
import dev.tidemark.deploy.bench.scenario.ScenarioSize;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** Runs one scenario of the benchmarks; each is a separate command. */
@Command(mixinStandardHelpOptions = true)
final class BenchScenarioCommand implements Callable<Integer> {
    private final Scenario scenario;
    private final ReadinessProbe probe;
    private final Suite.Maker suites;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "Small and short; ratios are less certain.")
    private boolean quick;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often each is measured (default: 5; less with --quick).")
    private @Nullable Integer rounds;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            description = "Length of a round, where one lasts for a time (default: 8s; 1s with --quick).")
    private @Nullable String time;

    @Option(
            names = {"--rows", "--entries"},
            paramLabel = "N",
            description = "How much is worked on; see above.")
    private @Nullable Integer rows;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Work in a temporary directory below this one; its disk is the one that is synced.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--report", paramLabel = "FILE", description = "Write the report into this Markdown file as well.")
    private @Nullable Path report;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    private BenchScenarioCommand(Scenario scenario, ReadinessProbe probe, Suite.Maker suites, Terminal terminal) {
        this.scenario = scenario;
        this.probe = probe;
        this.suites = suites;
        this.terminal = terminal;
    }

    /** The command of a course, with its name and what it says of itself. */
    static CommandLine of(Scenario scenario, ReadinessProbe probe, Suite.Maker suites, Terminal terminal) {
        CommandLine command = new CommandLine(new BenchScenarioCommand(scenario, probe, suites, terminal));
        command.getCommandSpec().name(scenario.label());
        command.getCommandSpec()
                .usageMessage()
                .description(scenario.summary(), scenario.details())
                .footer("", "Example:", "  tidemark bench " + scenario.label() + " --quick");
        return command;
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        ScenarioReport found;
        try {
            found = new ScenarioRun(probe, suites, new SteadyClock(), terminal::complain).run(scenario, size(), data);
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        if (report != null) {
            new MarkedSection(scenario.label()).write(found.markdown(), report);
        }
        if (json) {
            terminal.line(found.json().toString());
        } else {
            terminal.lines(ScenarioText.render(found, terminal));
        }
        return 0;
    }

    private ScenarioSize size() {
        ScenarioSize usual = quick ? scenario.quick() : scenario.usual();
        try {
            Duration each = time == null ? usual.time() : Durations.parse(time);
            return new ScenarioSize(
                    rounds == null ? usual.rounds() : rounds,
                    usual.warmUps(),
                    each,
                    rows == null ? usual.rows() : rows);
        } catch (BadSettingsException | IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec == null ? new CommandLine(this) : spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
