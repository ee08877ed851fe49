package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.apply.IndexCatalog;
import dev.tidemark.deploy.bench.apply.IndexesReport;
import dev.tidemark.deploy.bench.apply.IndexesRun;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;

/** What each index that is added costs the worker. */
@Command(
        name = "indexes",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast a worker follows a full topic with one index and with more, whole rows and keys only.",
            "Each number of indexes has a stack of its own; a rate counts from the first change to the last."
        },
        footer = {"", "Example:", "  tidemark bench indexes --quick"})
final class BenchIndexesCommand implements Callable<Integer> {
    private final ReadinessProbe probe;
    private final BenchTools tools;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "One and four indexes, 100,000 changes, one round.")
    private boolean quick;

    @Option(
            names = "--indexes",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,4,8",
            description = "Numbers of indexes, up to 8 (default: ${DEFAULT-VALUE}).")
    private List<Integer> numbers = List.of();

    @Option(
            names = "--changes",
            paramLabel = "N",
            defaultValue = "300000",
            description = "Changes in the topic, over 200,000 rows (default: ${DEFAULT-VALUE}).")
    private int changes = 300_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often each is measured (default: ${DEFAULT-VALUE}).")
    private int rounds = 3;

    @Mixin
    private BenchOutput output = new BenchOutput();

    BenchIndexesCommand(ReadinessProbe probe, BenchTools tools, Terminal terminal) {
        this.probe = probe;
        this.tools = tools;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        check();
        IndexesRun run =
                new IndexesRun(probe, tools.systems(), tools.builders(), new SteadyClock(), terminal::complain);
        IndexesReport report;
        try {
            report = quick
                    ? run.run(List.of(1, 4), 100_000, 1, output.data())
                    : run.run(numbers, changes, rounds, output.data());
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        output.show("indexes", report.markdown(), report.json(), () -> IndexesText.render(report, terminal), terminal);
        return 0;
    }

    private void check() {
        boolean possible = numbers.stream().allMatch(number -> number >= 1 && number <= IndexCatalog.MOST);
        if (spec != null && (!possible || changes < 1 || rounds < 1)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "expected --indexes of 1 to " + IndexCatalog.MOST
                            + ", and --changes and --rounds of at least 1, but got " + numbers + ", " + changes
                            + " and " + rounds);
        }
    }
}
