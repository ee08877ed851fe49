package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import dev.tidemark.deploy.bench.Arguments;
import dev.tidemark.deploy.bench.Bench;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.bench.Benchmark;
import dev.tidemark.deploy.bench.MarkedSection;
import dev.tidemark.deploy.bench.Report;
import dev.tidemark.deploy.bench.Setting;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** The command of any benchmark: its options, its run, and its report as text, Markdown or JSON. */
final class BenchmarkCommand implements Callable<Integer> {
    private static final String DATA = "--data";
    private static final String REPORT = "--report";
    private static final String JSON = "--json";

    private final Benchmark benchmark;
    private final BenchSystems systems;
    private final ReadinessProbe probe;
    private final Terminal terminal;
    private final CommandSpec spec;

    private BenchmarkCommand(Benchmark benchmark, BenchSystems systems, ReadinessProbe probe, Terminal terminal) {
        this.benchmark = benchmark;
        this.systems = systems;
        this.probe = probe;
        this.terminal = terminal;
        this.spec = CommandSpec.wrapWithoutInspection(this);
    }

    static CommandLine of(Benchmark benchmark, BenchSystems systems, ReadinessProbe probe, Terminal terminal) {
        CommandSpec spec = new BenchmarkCommand(benchmark, systems, probe, terminal).spec;
        spec.name(benchmark.name()).mixinStandardHelpOptions(true);
        spec.usageMessage()
                .description(benchmark.description().lines().toArray(String[]::new))
                .footer(benchmark.footer().lines().toArray(String[]::new));
        String data = "Work in a temporary directory below this one"
                + (benchmark.sameDisk() ? "; its disk is the one that is synced." : ".");
        String report = "Write the report into this Markdown file as well.";
        List<Setting> settings = new ArrayList<>(benchmark.settings());
        settings.add(new Setting(List.of(DATA), "DIR", Path.class, "", data));
        settings.add(new Setting(List.of(REPORT), "FILE", Path.class, "", report));
        settings.add(new Setting(List.of(JSON), "", Boolean.class, "", "Print JSON, for programs."));
        settings.forEach(setting -> spec.addOption(option(setting)));
        return new CommandLine(spec);
    }

    private static OptionSpec option(Setting setting) {
        OptionSpec.Builder option = OptionSpec.builder(setting.names().toArray(String[]::new))
                .paramLabel(setting.label())
                .type(setting.type())
                .description(setting.description());
        if (!setting.usual().isEmpty()) {
            option.defaultValue(setting.usual());
        }
        if (setting.type() == List.class) {
            option.auxiliaryTypes(Integer.class).splitRegex(",");
        } else if (setting.type() == Duration.class) {
            option.converters(BenchmarkCommand::duration);
        }
        return option.build();
    }

    private static Duration duration(String text) {
        try {
            return Durations.parse(text);
        } catch (BadSettingsException e) {
            throw new CommandLine.TypeConversionException(e.getMessage());
        }
    }

    @Override
    public Integer call() throws ServiceException, StackException, IOException, InterruptedException {
        Map<String, Object> values = new HashMap<>();
        spec.options()
                .forEach(option -> Optional.<Object>ofNullable(option.getValue())
                        .ifPresent(value -> values.put(option.names()[0], value)));
        Bench bench = new Bench(
                probe,
                systems,
                new SteadyClock(),
                path(values, DATA).orElse(Path.of(System.getProperty("java.io.tmpdir"))),
                terminal::complain);
        Report report;
        try {
            report = measurement(new Arguments(values)).run(bench);
        } catch (BenchException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
        Optional<Path> file = path(values, REPORT);
        if (file.isPresent()) {
            new MarkedSection(benchmark.name()).write(report.markdown(), file.get());
        }
        terminal.lines(
                Boolean.TRUE.equals(values.get(JSON)) ? List.of(report.json().toString()) : report.text(terminal));
        return CommandLine.ExitCode.OK;
    }

    private Benchmark.Measurement measurement(Arguments arguments) {
        try {
            return benchmark.preparation().apply(arguments);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    private static Optional<Path> path(Map<String, Object> values, String name) {
        return Optional.ofNullable(values.get(name)).map(Path.class::cast);
    }
}
