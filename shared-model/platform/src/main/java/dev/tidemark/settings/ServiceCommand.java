package dev.tidemark.settings;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import dev.tidemark.row.BadInputException;
import dev.tidemark.runtime.ServiceProcess;

/**
 * The command line of a service: {@code --config FILE}, {@code --set key=value} (repeatable), {@code --print-config},
 * {@code --help}. Exit codes: 0 after an orderly stop, 1 when the service could not start or stop, 2 on wrong usage,
 * bad settings or bad data, 74 when it gave up to be started again.
 */
public final class ServiceCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    private final String service;
    /** Made when it is needed: the command is there in every command line, and Kafka's definitions start a logger. */
    private final Supplier<ConfigDef> definition;

    private final Starter starter;
    private final Map<String, String> environment;
    private final CommandLine line;

    /** Starts the service; it serves when the call returns, and ends when what it returned is closed. */
    @FunctionalInterface
    public interface Starter {
        AutoCloseable start(AbstractConfig settings) throws Exception;
    }

    private ServiceCommand(
            String service,
            String summary,
            Supplier<ConfigDef> definition,
            Starter starter,
            Map<String, String> environment) {
        this.service = service;
        this.definition = definition;
        this.starter = starter;
        this.environment = environment;
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this)
                .name(service)
                .addOption(OptionSpec.builder("--config")
                        .paramLabel("FILE")
                        .type(Path.class)
                        .description("Settings as a Java properties file.")
                        .build())
                .addOption(OptionSpec.builder("--set")
                        .paramLabel("key=value")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description("One setting; overrides file and environment. Repeatable.")
                        .build())
                .addOption(OptionSpec.builder("--print-config")
                        .description("Print all settings as a properties file, with where they came from, and exit.")
                        .build())
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help and exit.")
                        .build());
        spec.usageMessage().description(summary);
        // The writer that picocli makes for standard output does not show its errors.
        this.line = new CommandLine(spec)
                .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
                .setExecutionStrategy(new CheckedOutput())
                .setParameterExceptionHandler((e, arguments) -> wrongUsage(e));
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> {
            spec.usageMessage().footer(footer());
            return help.footer();
        });
    }

    /**
     * A command that runs the service until the process is asked to end, also as a subcommand.
     *
     * @param service name of the service, as in the prefix of its environment variables: writer, worker
     * @param summary what the service does, for the help
     */
    public static CommandLine of(String service, String summary, Supplier<ConfigDef> definition, Starter starter) {
        return new ServiceCommand(service, summary, definition, starter, System.getenv()).line;
    }

    static CommandLine of(
            String service, String summary, ConfigDef definition, Starter starter, Map<String, String> environment) {
        return new ServiceCommand(service, summary, () -> definition, starter, environment).line;
    }

    @Override
    public Integer call() {
        try {
            ParseResult parsed = line.getParseResult();
            Optional<Path> file = Optional.ofNullable(parsed.matchedOptionValue("--config", null));
            List<String> assignments =
                    Objects.requireNonNull(parsed.<List<String>>matchedOptionValue("--set", List.of()));
            SettingsReader reader = new SettingsReader(service, definition.get());
            if (parsed.hasMatchedOption("--print-config")) {
                reader.printed(file, environment, assignments).forEach(line.getOut()::println);
            } else {
                ServiceProcess.runUntilStopped(starter.start(reader.read(file, environment, assignments)));
            }
            return 0;
        } catch (BadInputException e) {
            return complain(e.getMessage(), ServiceProcess.BAD_INPUT);
        } catch (Exception e) {
            return complain(e.getMessage() == null ? e.toString() : e.getMessage(), FAILED);
        }
    }

    private int wrongUsage(ParameterException e) {
        return complain(e.getMessage() + "; see --help", ServiceProcess.BAD_INPUT);
    }

    private int complain(String why, int code) {
        line.getErr().println(service + ": " + why);
        return code;
    }

    private String[] footer() {
        String example = "%nExamples:%n"
                + "  tidemark " + service + " --config " + service + ".properties%n"
                + "  tidemark " + service + " --set data.dir=./" + service + " --print-config%n"
                + "%nSettings:";
        return Stream.concat(Stream.of(example), Stream.of(settingsHelp())).toArray(String[]::new);
    }

    private String[] settingsHelp() {
        return definition.get().configKeys().values().stream()
                .sorted((a, b) -> a.name.compareTo(b.name))
                .map(ServiceCommand::line)
                .toArray(String[]::new);
    }

    private static String line(ConfigKey key) {
        String preset = key.hasDefault() ? "default " + key.defaultValue : "required";
        return "%n  " + key.name + " (" + preset.replace("%", "%%") + ")%n      "
                + String.valueOf(key.documentation).replace("%", "%%");
    }
}
