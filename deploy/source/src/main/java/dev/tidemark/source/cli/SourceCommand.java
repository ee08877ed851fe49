package dev.tidemark.source.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SettingsReader;

/** {@code tidemark source}. */
@Command(
        name = "source",
        mixinStandardHelpOptions = true,
        description = "Follows a database, or topics of Debezium, and feeds the writer with the rows.",
        footer = {
            "",
            "Settings are in the file, in the environment (TIDEMARK_SOURCE_DATABASE_HOSTNAME) or behind --set. Those"
                    + " below connector., database., slot., publication., snapshot., table., schema. and column. are"
                    + " Debezium's; connector.NAME passes any other NAME. Those below kafka. are of Kafka's clients. A"
                    + " password comes from the environment or from a file: database.password.file=FILE.",
            "",
            "Example:",
            "  tidemark source check --config source.properties",
            "  tidemark source --config source.properties"
        })
public final class SourceCommand implements Callable<Integer> {
    private final Action<AutoCloseable> follow;
    private final Action<Integer> check;
    private final ConfigDef definition;
    private final Terminal terminal;
    private final Map<String, String> environment;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Settings as a Java properties file.")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "key=value",
            scope = ScopeType.INHERIT,
            description = "One setting; overrides file and environment. Repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "Name of the source in the catalog; the setting name.")
    private @Nullable String name;

    @Option(
            names = "--writer-url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "Where the writer is; the setting writer.url.")
    private @Nullable String writer;

    @Option(
            names = "--on-gap",
            paramLabel = "refuse|snapshot",
            description = "What to do when changes were lost; the setting on.gap.")
    private @Nullable String onGap;

    @Option(
            names = "--print-config",
            description = "Print all settings as a properties file, with where they came from, and exit.")
    private boolean print;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print JSON, one object a line.")
    private boolean json;

    @Option(
            names = "--topics",
            paramLabel = "TOPICS",
            scope = ScopeType.INHERIT,
            description =
                    "Read these topics of Debezium, comma-separated, in place of the database; the setting topics.")
    private @Nullable String topics;

    /** Does something with the settings that were given. */
    @FunctionalInterface
    public interface Action<T> {
        T with(SourceSettings settings, boolean json) throws Exception;
    }

    /**
     * A command whose settings are those of a definition.
     *
     * @param follow begins to follow
     * @param check looks at the database, and returns how many things it lacks
     */
    public SourceCommand(
            Action<AutoCloseable> follow,
            Action<Integer> check,
            ConfigDef definition,
            Terminal terminal,
            Map<String, String> environment) {
        this.follow = follow;
        this.check = check;
        this.definition = definition;
        this.terminal = terminal;
        this.environment = environment;
    }

    @Override
    public Integer call() throws Exception {
        if (print) {
            terminal.lines(reader().printed(Optional.ofNullable(config), environment, given()));
            return 0;
        }
        ServiceProcess.runUntilStopped(follow.with(settings(), json));
        return 0;
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description =
                    "Prints what the database lacks, with the SQL that mends it. Exit code 1 when something lacks.")
    int check() throws Exception {
        return check.with(settings(), json) == 0 ? 0 : 1;
    }

    private SettingsReader reader() {
        return new SettingsReader("source", definition, SourceSettings.PASSED);
    }

    private SourceSettings settings() throws BadSettingsException {
        return SourceSettings.of(reader().read(Optional.ofNullable(config), environment, given()));
    }

    private List<String> given() {
        List<String> given = new ArrayList<>(assignments);
        Optional.ofNullable(name).ifPresent(value -> given.add("name=" + value));
        Optional.ofNullable(writer).ifPresent(value -> given.add("writer.url=" + value));
        Optional.ofNullable(topics).ifPresent(value -> given.add("topics=" + value));
        Optional.ofNullable(onGap).ifPresent(value -> given.add("on.gap=" + value));
        return given;
    }
}
