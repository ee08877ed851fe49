package dev.tidemark.deploy.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.Terminal;

/** Orders about the building of one index. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Pauses or resumes the building of an index, gives a change up, or takes one back.",
        footer = {"", "Examples:", "  tidemark index pause by_town", "  tidemark index rollback people.by_town"})
final class IndexCommand {
    private IndexCommand() {}

    static CommandLine of(Services services, Terminal terminal) {
        return new CommandLine(new IndexCommand())
                .addSubcommand(
                        "pause",
                        order(
                                "pause",
                                services,
                                terminal,
                                "Lets the building of an index rest. Live changes are still applied to it."))
                .addSubcommand("resume", order("resume", services, terminal, "Lets the building of an index go on."))
                .addSubcommand(
                        "cancel",
                        order(
                                "cancel",
                                services,
                                terminal,
                                "Gives up an index that is being built: a changed one is as it was before, a new one is dropped."))
                .addSubcommand(
                        "rollback",
                        order(
                                "rollback",
                                services,
                                terminal,
                                "Takes the last change of an index back: the generation before it answers again."));
    }

    private static CommandLine order(String order, Services services, Terminal terminal, String description) {
        CommandLine command = new CommandLine(new IndexOperationCommand(order, services, terminal));
        command.getCommandSpec()
                .usageMessage()
                .description(description)
                .footer("", "Example:", "  tidemark index " + order + " by_town");
        return command;
    }
}
