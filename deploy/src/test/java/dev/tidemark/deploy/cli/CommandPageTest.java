package dev.tidemark.deploy.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

import dev.tidemark.deploy.bench.apply.BaselineCommands;
import dev.tidemark.deploy.probe.FakeServices;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.testkit.GeneratedPage;

class CommandPageTest {
    private static final int WIDTH = 100;

    @Test
    void theCommandsAreThoseOfTheCode() {
        CommandLine tidemark = commandLine().setUsageHelpAutoWidth(false).setUsageHelpWidth(WIDTH);
        List<String> page = new ArrayList<>();
        tidemark.getSubcommands().values().stream().distinct().forEach(command -> render(command, page));
        page.remove(page.size() - 1);

        new GeneratedPage("cli.md", "commands", "deploy", CommandPageTest.class).holds(page);
    }

    private static void render(CommandLine command, List<String> page) {
        page.add("## " + command.getCommandSpec().qualifiedName());
        page.add("");
        page.add("```text");
        command.getUsageMessage(Ansi.OFF).lines().map(String::stripTrailing).forEach(page::add);
        page.add("```");
        page.add("");
        command.getSubcommands().values().stream().distinct().forEach(below -> render(below, page));
    }

    private static CommandLine commandLine() {
        Map<String, RunServiceCommand.Entry> mains = new LinkedHashMap<>();
        mains.put("writer", arguments -> {});
        mains.put("worker", arguments -> {});
        FakeServices probed = new FakeServices();
        return Tidemark.commandLine(
                new CannedServices(),
                new Tidemark.ProbeTools((writer, workers, identity, patience) -> probed, (port, reports) -> () -> {}),
                new Tidemark.Benches(
                        new NoMeasuredSystems(),
                        new NoBuilders(),
                        new BaselineCommands(Object.class, Object.class),
                        new NoScenarios(),
                        ""),
                new NoDrills(),
                url -> false,
                Terminals.Recorded.pipe().terminal(),
                mains,
                work -> {});
    }
}
