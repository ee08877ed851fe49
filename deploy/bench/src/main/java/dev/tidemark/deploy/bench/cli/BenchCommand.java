package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.Arguments;
import dev.tidemark.deploy.bench.Bench;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Report;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;

/** The benchmarks; each is a command below this one. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "[BENCHMARK]",
        description = {
            "Measures Tidemark beside what people would use instead.",
            "Both run on this machine, on one broker, with the same data, in turn; the result is a ratio of medians.",
            "Without the name of a benchmark it runs all of them, one after the other, and goes on when one fails."
                    + " What is not installed is left out, which is said."
        },
        footer = {
            "",
            "Examples:",
            "  tidemark bench --quick",
            "  tidemark bench --report docs/benchmarks.md",
            "  tidemark bench visibility --quick"
        })
final class BenchCommand implements Callable<Integer> {
    private static final String DATA = "--data";
    private static final String REPORT = "--report";

    /** The benchmarks of the whole suite, each with its size. */
    private static final List<String> WHOLE = List.of(
            "visibility --time 5s --rounds 5 --warm-up 15s --cost-rounds 5",
            "apply",
            "indexes --changes 100000 --rounds 1",
            "put --time 6s",
            "query --time 6s",
            "global --time 6s",
            "placements --time 3s",
            "bulk",
            "facts",
            "join --rows 500000",
            "restart --entries 2000000",
            "clients",
            "build --rows 500000",
            "verify --rows 500000",
            "growth --rows 200000,2000000 --changes 200000 --rounds 1 --time 5s");

    private static final List<String> QUICK = List.of(
            "visibility --rate 1000 --time 2s --rounds 1 --warm-up 1s --cost-rounds 0",
            "apply --changes 30000 --rounds 1",
            "put --quick --rounds 1",
            "query --quick --rounds 1",
            "bulk --quick --rounds 1",
            "facts --quick --rounds 1",
            "join --rows 30000 --rounds 1",
            "restart --entries 20000 --rounds 1",
            "clients --quick --rounds 1");

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--quick", description = "All small, one round each; ratios say little.")
    private boolean quick;

    @Option(
            names = DATA,
            paramLabel = "DIR",
            description = "Work in temporary directories below this one; its disk is the one that is synced.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = REPORT, paramLabel = "FILE", description = "Write the reports into this Markdown file as well.")
    private @Nullable Path report;

    private BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The command with all benchmarks below it. */
    static CommandLine of(List<Benchmark> benchmarks, BenchSystems systems, ReadinessProbe probe, Terminal terminal) {
        CommandLine bench = new CommandLine(new BenchCommand(terminal));
        for (Benchmark benchmark : benchmarks) {
            bench.addSubcommand(new BenchmarkCommand(benchmark, systems, probe, terminal).commandLine());
        }
        return bench;
    }

    @Override
    public Integer call() {
        List<String> common = new ArrayList<>(List.of(DATA, data.toString()));
        if (report != null) {
            common.addAll(List.of(REPORT, report.toString()));
        }
        // From the root, because a command below it cannot be run by itself.
        CommandLine root = spec.root().commandLine();
        List<String> path = List.of(spec.qualifiedName().split(" ", -1));
        int worst = 0;
        for (List<String> step : steps(quick, common)) {
            terminal.complain("bench " + step.get(0));
            worst = Math.max(
                    worst,
                    root.execute(
                            Stream.concat(path.stream().skip(1), step.stream()).toArray(String[]::new)));
        }
        return worst;
    }

    /**
     * The arguments of each benchmark, its name first.
     *
     * @param common options that all of them get
     */
    static List<List<String>> steps(boolean quick, List<String> common) {
        return (quick ? QUICK : WHOLE)
                .stream()
                        .map(line -> Stream.concat(Stream.of(line.split(" ", -1)), common.stream())
                                .toList())
                        .toList();
    }

    /** The command of any benchmark: its options, its run, and its report as text, Markdown or JSON. */
    private static final class BenchmarkCommand implements Callable<Integer> {
        private final Benchmark benchmark;
        private final BenchSystems systems;
        private final ReadinessProbe probe;
        private final Terminal terminal;
        private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

        BenchmarkCommand(Benchmark benchmark, BenchSystems systems, ReadinessProbe probe, Terminal terminal) {
            this.benchmark = benchmark;
            this.systems = systems;
            this.probe = probe;
            this.terminal = terminal;
        }

        CommandLine commandLine() {
            spec.name(benchmark.name()).mixinStandardHelpOptions(true);
            spec.usageMessage()
                    .description(benchmark.description().lines().toArray(String[]::new))
                    .footer(benchmark.footer().lines().toArray(String[]::new));
            benchmark.options().forEach(spec::addOption);
            String disk = benchmark.sameDisk() ? "; its disk is the one that is synced." : ".";
            spec.addOption(Arguments.path(DATA, "DIR", "Work in a temporary directory below this one" + disk));
            spec.addOption(Arguments.path(REPORT, "FILE", "Write the report into this Markdown file as well."));
            spec.addOption(Arguments.flag("--json", "Print JSON, for programs."));
            return new CommandLine(spec);
        }

        @Override
        public Integer call() throws Exception {
            Arguments arguments = new Arguments(spec);
            Clock clock = new SteadyClock();
            Path parent = arguments.get(DATA, Path.of(System.getProperty("java.io.tmpdir")));
            Bench bench = new Bench(probe, systems, clock, Machine.here(clock), parent, terminal::complain);
            Report report;
            try {
                report = benchmark.measurement().run(arguments, bench);
            } catch (BenchException | IOException e) {
                throw new ServiceException(String.valueOf(e.getMessage()));
            }
            Path file = arguments.get(REPORT, Path.of(""));
            if (!file.equals(Path.of(""))) {
                Report.write(benchmark.name(), report.markdown(), file);
            }
            terminal.lines(
                    arguments.get("--json", false) ? List.of(report.json().toString()) : report.text(terminal));
            return CommandLine.ExitCode.OK;
        }
    }
}
