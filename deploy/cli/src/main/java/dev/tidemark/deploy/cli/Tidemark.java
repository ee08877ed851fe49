package dev.tidemark.deploy.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.BadInputException;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.CheckedOutput;
import dev.tidemark.settings.NearestName;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The {@code tidemark} command with all its subcommands. */
@Command(
        name = "tidemark",
        mixinStandardHelpOptions = true,
        versionProvider = Tidemark.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Index tables that follow your writes, and say how far behind they are.",
        footer = {
            "",
            "Try first:",
            "  tidemark demo",
            "",
            "Then with tables of your own:",
            "  tidemark stack --data ./data --catalog catalog.yaml",
            "  tidemark load customers customers.ndjson",
            "  tidemark query by_town town=Redmond",
            "  tidemark lag --watch",
            "",
            "Exit codes: 0 done, 1 the thing failed, 2 wrong usage."
        })
public final class Tidemark {
    private Tidemark() {}

    /** The version in the manifest of the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Tidemark.class.getPackage().getImplementationVersion();
            return new String[] {
                "tidemark " + Optional.ofNullable(version).map(Version::shown).orElse("(not packaged)"),
                "java " + System.getProperty("java.version")
            };
        }

        /** Where there was no Git directory, the build left the place of the commit empty. */
        private static String shown(String version) {
            return version.replaceFirst("\\$\\{.*", "unknown");
        }
    }

    /** Makes what commands take as mixins, beside what picocli makes. */
    private record Mixins(CommandContext context) implements CommandLine.IFactory {
        @Override
        public <T> T create(Class<T> type) throws Exception {
            if (type == ClientOptions.class) {
                return type.cast(new ClientOptions(context.services(), context.terminal()));
            }
            return type == CommandContext.class
                    ? type.cast(context)
                    : CommandLine.defaultFactory().create(type);
        }
    }

    /**
     * The whole command line.
     *
     * @param services the commands that run a service
     * @param providers add commands behind those of this module
     */
    public static CommandLine commandLine(
            CommandContext context, List<CommandLine> services, Iterable<CommandProvider> providers) {
        Terminal terminal = context.terminal();
        Mixins mixins = new Mixins(context);
        CommandLine tidemark = new CommandLine(new Tidemark());
        add(tidemark, mixins, StackCommands.class, "demo", "stack", "broker", "faststart");
        services.forEach(tidemark::addSubcommand);
        add(tidemark, mixins, TableCommands.class, "load");
        add(tidemark, mixins, QueryCommands.class, "query", "explain", "receipt", "lag");
        add(tidemark, mixins, WorkerCommands.class, "workers", "shards");
        tidemark.addSubcommand(new ApplyCommand(context.services(), terminal, System.in));
        add(tidemark, mixins, IndexCommands.class, "indexes");
        tidemark.addSubcommand(IndexOrders.commandLine(mixins));
        add(tidemark, mixins, TableCommands.class, "pause", "resume", "verify", "repair", "backup", "restore");
        add(tidemark, mixins, IndexCommands.class, "advise", "plan");
        tidemark.addSubcommand(new CompletionCommand());
        providers.forEach(provider -> provider.commands(context).forEach(tidemark::addSubcommand));
        return tidemark.setOut(new PrintWriter(terminal.out(), true, UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, UTF_8))
                .setUsageHelpAutoWidth(true)
                .setExecutionStrategy(new CheckedOutput())
                .setParameterExceptionHandler((e, args) -> wrongUsage(e))
                .setExecutionExceptionHandler((e, command, result) -> failed(e, command, terminal));
    }

    /** Adds static methods as commands of the same names, in that order. */
    private static void add(CommandLine parent, CommandLine.IFactory mixins, Class<?> methods, String... names) {
        for (String name : names) {
            parent.addSubcommand(
                    new CommandLine(CommandLine.getCommandMethods(methods, name).get(0), mixins));
        }
    }

    private static int wrongUsage(CommandLine.ParameterException e) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        if (command.getParent() == null && !(e instanceof CommandLine.UnmatchedArgumentException)) {
            command.usage(err);
        }
        Optional<String> unknown = unknownCommand(e);
        err.println(command.getCommandSpec().qualifiedName() + ": " + unknown.orElse(e.getMessage()));
        if (unknown.isEmpty()) {
            CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        }
        err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** That a command has no such subcommand, with the nearest one; empty where something else is wrong. */
    private static Optional<String> unknownCommand(CommandLine.ParameterException e) {
        CommandLine command = e.getCommandLine();
        Set<String> names = command.getSubcommands().keySet();
        if (names.isEmpty()
                || command.getCommand() instanceof Callable
                || !(e instanceof CommandLine.UnmatchedArgumentException unmatched)
                || unmatched.isUnknownOption()) {
            return Optional.empty();
        }
        String given = unmatched.getUnmatched().get(0);
        return Optional.of("there is no command " + given
                + NearestName.of(given, names)
                        .map(name -> "; did you mean " + name + "?")
                        .orElse(""));
    }

    private static int failed(Exception e, CommandLine command, Terminal terminal) {
        if (e instanceof BadSettingsException) {
            return wrongUsage(new CommandLine.ParameterException(command, e.getMessage()));
        }
        if (e instanceof BadInputException) {
            terminal.complain("tidemark: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        if (e instanceof ServiceException || e instanceof StackException) {
            terminal.complain("tidemark: " + e.getMessage());
        } else if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            terminal.complain("tidemark: interrupted");
        } else {
            terminal.complain("tidemark: failed unexpectedly: " + e);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
