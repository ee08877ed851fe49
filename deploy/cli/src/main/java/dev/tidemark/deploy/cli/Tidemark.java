package dev.tidemark.deploy.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.BadInputException;

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
                "tidemark " + Optional.ofNullable(version).orElse("(not packaged)"),
                "java " + System.getProperty("java.version")
            };
        }
    }

    /**
     * The whole command line.
     *
     * @param services what {@code writer} and {@code worker} run
     * @param providers add commands behind those of this module
     */
    public static CommandLine commandLine(
            CommandContext context, Map<String, ServiceEntry> services, Iterable<CommandProvider> providers) {
        Terminal terminal = context.terminal();
        CommandLine tidemark = new CommandLine(new Tidemark())
                .addSubcommand(new DemoCommand(context.services(), context.readiness(), terminal, context.atExit()))
                .addSubcommand(new StackCommand(context.readiness(), terminal))
                .addSubcommand(new BrokerCommand(context.readiness(), terminal));
        services.forEach((name, main) -> tidemark.addSubcommand(name, new RunServiceCommand(main)));
        addClientCommands(tidemark, context.services(), terminal);
        providers.forEach(provider -> provider.commands(context).forEach(tidemark::addSubcommand));
        return tidemark.setOut(new PrintWriter(terminal.out(), true, UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, UTF_8))
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler((e, args) -> wrongUsage(e))
                .setExecutionExceptionHandler((e, command, result) -> failed(e, terminal));
    }

    private static void addClientCommands(CommandLine tidemark, Services services, Terminal terminal) {
        tidemark.addSubcommand(new LoadCommand(services, terminal))
                .addSubcommand(new QueryCommand(services, terminal))
                .addSubcommand(new ExplainCommand(services, terminal))
                .addSubcommand(new ReceiptCommand(services, terminal))
                .addSubcommand(new LagCommand(services, terminal))
                .addSubcommand(new ApplyCommand(services, terminal, ConfirmationPrompt.of(System.in)))
                .addSubcommand(new IndexesCommand(services, terminal))
                .addSubcommand(IndexCommand.of(services, terminal))
                .addSubcommand(new PauseCommand(services, terminal))
                .addSubcommand(new ResumeCommand(services, terminal))
                .addSubcommand(new VerifyCommand(services, terminal))
                .addSubcommand(new RepairCommand(services, terminal))
                .addSubcommand(new BackupCommand(services, terminal))
                .addSubcommand(new RestoreCommand(terminal))
                .addSubcommand(new AdviseCommand(services, terminal))
                .addSubcommand(new PlanCommand(services, terminal));
    }

    private static int wrongUsage(CommandLine.ParameterException e) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        if (command.getParent() == null && !(e instanceof CommandLine.UnmatchedArgumentException)) {
            command.usage(err);
        }
        err.println(command.getCommandSpec().qualifiedName() + ": " + e.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int failed(Exception e, Terminal terminal) {
        if (e instanceof BadInputException) {
            terminal.complain("tidemark: " + e.getMessage());
            return ExitCode.WRONG_USAGE;
        }
        if (e instanceof ServiceException || e instanceof StackException) {
            terminal.complain("tidemark: " + e.getMessage());
        } else if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            terminal.complain("tidemark: interrupted");
        } else {
            terminal.complain("tidemark: failed unexpectedly: " + e);
        }
        return ExitCode.FAILED;
    }
}
