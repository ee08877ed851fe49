package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.MarkedSection;
import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.VisibilityBench;
import dev.tidemark.deploy.bench.VisibilityJson;
import dev.tidemark.deploy.bench.VisibilityMarkdown;
import dev.tidemark.deploy.bench.VisibilityReport;
import dev.tidemark.deploy.bench.VisibilityRun;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** Visibility beside a bare producer-to-consumer loop. */
@Command(
        name = "visibility",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how long a change takes until it can be had, beside a bare producer-to-consumer loop.",
            "Starts a broker, a writer and a worker of its own in a temporary directory. The full run takes about five"
                    + " minutes."
        },
        footer = {
            "",
            "bare loop  from when a record is due to be sent until the poll that brings it returns",
            "Tidemark   from the time stamp of the commit, taken before it is synced, until queries find the change",
            "",
            "Examples:",
            "  tidemark bench visibility --quick",
            "  tidemark bench visibility --rate 1000 --rounds 9 --json"
        })
final class BenchVisibilityCommand implements Callable<Integer> {
    private static final Duration QUICK_TIME = Duration.ofSeconds(3);
    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(40);

    private final ReadinessProbe probe;
    private final MeasuredSystems systems;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "Short rounds, in all under two minutes; ratios are less certain.")
    private boolean quick;

    @Option(
            names = "--rate",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000,10000",
            description = "Changes a second (default: ${DEFAULT-VALUE}).")
    private List<Integer> rates = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "7",
            description = "Rounds of each, at each rate (default: ${DEFAULT-VALUE}; 5 with --quick).")
    private int rounds = 7;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Length of a round (default: ${DEFAULT-VALUE}; 3s with --quick).")
    private String time = "10s";

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description =
                    "How long each runs before its first round, at each rate (default: four rounds, 40 s at most; two with"
                            + " --quick).")
    private @Nullable String warmUp;

    @Option(
            names = "--cost-rounds",
            paramLabel = "N",
            defaultValue = "9",
            description = "Rounds of measuring what timing every change costs; 0 for none (default: ${DEFAULT-VALUE}).")
    private int costRounds = 9;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Work in a temporary directory below this one; its disk is the one that is synced.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--report", paramLabel = "FILE", description = "Write the report into this Markdown file as well.")
    private @Nullable Path report;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    BenchVisibilityCommand(ReadinessProbe probe, MeasuredSystems systems, Terminal terminal) {
        this.probe = probe;
        this.systems = systems;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        VisibilityBench.Plan plan = plan();
        VisibilityReport found;
        try {
            found = new VisibilityRun(probe, systems, new SteadyClock(), terminal::complain)
                    .run(plan, data, costRounds);
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        if (report != null) {
            new MarkedSection("visibility").write(VisibilityMarkdown.of(found), report);
        }
        if (json) {
            terminal.line(VisibilityJson.of(found).toString());
        } else {
            terminal.lines(BenchText.render(found, terminal));
        }
        return 0;
    }

    private VisibilityBench.Plan plan() {
        try {
            Duration each = quick ? QUICK_TIME : Durations.parse(time);
            // A service that has just started spends its time on compiling itself: 1,000 calls a second take half a
            // minute until that is done on two processors.
            Duration enough = each.multipliedBy(quick ? 2 : 4);
            Duration usual = enough.compareTo(LONGEST_WARM_UP) < 0 ? enough : LONGEST_WARM_UP;
            Duration before = warmUp == null ? usual : Durations.parse(warmUp);
            return new VisibilityBench.Plan(rates, quick ? 5 : rounds, each, before);
        } catch (BadSettingsException | IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec == null ? new CommandLine(this) : spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
