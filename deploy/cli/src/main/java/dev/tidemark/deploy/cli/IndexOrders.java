package dev.tidemark.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import dev.tidemark.deploy.client.ServiceException;

/** Orders about the building of one index: one command, under a name for each order. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        addMethodSubcommands = false,
        description = "Pauses or resumes the building of an index, gives a change up, or takes one back.",
        footer = {"", "Examples:", "  tidemark index pause by_town", "  tidemark index rollback people.by_town"})
final class IndexOrders {
    private IndexOrders() {}

    static CommandLine commandLine(CommandLine.IFactory mixins) {
        CommandLine index = new CommandLine(new IndexOrders());
        add(index, mixins, "pause", "Lets the building of an index rest. Live changes are still applied to it.");
        add(index, mixins, "resume", "Lets the building of an index go on.");
        add(
                index,
                mixins,
                "cancel",
                "Gives up an index that is being built: a changed one is as it was before, a new one is dropped.");
        add(
                index,
                mixins,
                "rollback",
                "Takes the last change of an index back: the generation before it answers again.");
        return index;
    }

    private static void add(CommandLine index, CommandLine.IFactory mixins, String order, String description) {
        CommandLine command = new CommandLine(
                CommandLine.getCommandMethods(IndexOrders.class, "order").get(0), mixins);
        command.getCommandSpec()
                .usageMessage()
                .description(description)
                .footer("", "Example:", "  tidemark index " + order + " by_town");
        index.addSubcommand(command.setCommandName(order));
    }

    @Command(mixinStandardHelpOptions = true)
    static void order(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "INDEX", description = "Name of the index, or table.index.")
                    String index)
            throws ServiceException, InterruptedException {
        JsonNode answer = client.worker().order(client.command(), index);
        client.terminal()
                .line(index + ": " + client.command() + " is in force with version "
                        + answer.path("version").asLong() + " of the definitions");
    }
}
