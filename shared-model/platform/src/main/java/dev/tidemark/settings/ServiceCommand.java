package dev.tidemark.settings;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import dev.tidemark.row.BadInputException;
import dev.tidemark.runtime.ServiceProcess;

/**
 * The command line of a service: {@code --config FILE}, {@code --set key=value} (repeatable), {@code --print-config},
 * {@code --help}. Exit codes: 0 after an orderly stop, 1 when the service could not start or stop, 2 on wrong usage or
 * bad settings, 74 when it gave up to be started again.
 */
public final class ServiceCommand {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private final String service;
    private final ConfigDef definition;
    private final CommandSpec spec;

    /** Starts the service; it serves when the call returns, and ends when what it returned is closed. */
    @FunctionalInterface
    public interface Starter {
        AutoCloseable start(AbstractConfig settings) throws Exception;
    }

    /**
     * A command line.
     *
     * @param service name of the service, as in the prefix of its environment variables: writer, worker
     * @param summary what the service does, for the help
     */
    public ServiceCommand(String service, String summary, ConfigDef definition) {
        this.service = service;
        this.definition = definition;
        this.spec = CommandSpec.create()
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
        spec.usageMessage().description(summary).footer(settingsHelp());
    }

    /** Runs the service until the process is asked to end, then ends the process. */
    public void run(String[] arguments, Starter starter) {
        Optional<Integer> code = attempt(arguments, System.getenv(), starter, System.out, System.err);
        System.exit(code.orElse(0));
    }

    /** As {@link #run}, without ending the process; the code to exit with, empty when the service ran. */
    Optional<Integer> attempt(
            String[] arguments, Map<String, String> environment, Starter starter, PrintStream out, PrintStream err) {
        CommandLine line = new CommandLine(spec);
        try {
            ParseResult parsed = line.parseArgs(arguments);
            if (parsed.isUsageHelpRequested()) {
                line.usage(out);
                return Optional.of(0);
            }
            Optional<Path> file = Optional.ofNullable(parsed.matchedOptionValue("--config", null));
            List<String> assignments =
                    Objects.requireNonNull(parsed.<List<String>>matchedOptionValue("--set", List.of()));
            SettingsReader reader = new SettingsReader(service, definition);
            if (parsed.hasMatchedOption("--print-config")) {
                new PrintedSettings(service, definition)
                        .lines(reader.given(file, environment, assignments))
                        .forEach(out::println);
                return Optional.of(0);
            }
            AbstractConfig settings = reader.read(file, environment, assignments);
            ServiceProcess.runUntilStopped(starter.start(settings));
            return Optional.empty();
        } catch (ParameterException e) {
            err.println(service + ": " + e.getMessage() + "; see --help");
            return Optional.of(WRONG_USAGE);
        } catch (BadInputException e) {
            err.println(service + ": " + e.getMessage());
            return Optional.of(WRONG_USAGE);
        } catch (Exception e) {
            err.println(service + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            return Optional.of(FAILED);
        }
    }

    private String[] settingsHelp() {
        return definition.configKeys().values().stream()
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
