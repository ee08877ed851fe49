package dev.tidemark.deploy.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

import dev.tidemark.deploy.cli.CannedServices;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;
import dev.tidemark.deploy.cli.Tidemark;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.testkit.GeneratedPage;
import dev.tidemark.worker.WorkerMain;
import dev.tidemark.writer.WriterMain;

class CommandPageTest {
    private static final int WIDTH = 100;

    @Test
    void theCommandsAreThoseOfTheCode() {
        CommandLine tidemark = commandLine().setUsageHelpAutoWidth(false).setUsageHelpWidth(WIDTH);
        List<String> page = new ArrayList<>();
        tidemark.getSubcommands().values().stream().distinct().forEach(command -> render(command, page));
        page.remove(page.size() - 1);

        new GeneratedPage("cli.md", "commands", "deploy/e2e", CommandPageTest.class).holds(page);
    }

    private static void render(CommandLine command, List<String> page) {
        page.add("## " + command.getCommandSpec().qualifiedName());
        page.add("");
        page.add("```text");
        // The settings of the services are in configuration.md.
        command.getUsageMessage(Ansi.OFF)
                .replaceFirst("(?s)\n\nSettings:\n.*", "\n\nSettings: see the page on configuration.")
                .lines()
                .map(String::stripTrailing)
                .forEach(page::add);
        page.add("```");
        page.add("");
        command.getSubcommands().values().stream().distinct().forEach(below -> render(below, page));
    }

    private static CommandLine commandLine() {
        CommandContext context = new CommandContext(
                new CannedServices(), url -> false, Terminals.Recorded.pipe().terminal(), work -> {});
        return Tidemark.commandLine(
                context,
                List.of(WriterMain.command(), WorkerMain.command()),
                ServiceLoader.load(CommandProvider.class));
    }
}
