package dev.tidemark.deploy.cli;

import java.time.Duration;
import java.util.List;

import dev.tidemark.deploy.demo.DemoCheck;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.FactsPlace;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.StackListener;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Tint;

/** What the demo says around the show itself. */
record DemoScreen(Terminal terminal, StackSettings settings) implements StackListener {
    void opening() {
        terminal.line(terminal.tinted("Tidemark demo", Tint.BOLD));
        terminal.line("Index tables that follow your writes, and say how far behind they are.");
        terminal.line();
        terminal.line("Starting, with everything in " + settings.data());
    }

    @Override
    public void up(ChildId child, String address, Duration took) {
        boolean isLong = settings.facts().kind() == FactsPlace.Kind.OWN_POSTGRESQL;
        String format = isLong ? "  %-10s %-46s up after %s" : "  %-7s %-24s up after %s";
        terminal.line(String.format(format, child.label(), address, Amounts.duration(took)));
    }

    @Override
    public void died(ChildId child, int exitCode, boolean restarting) {
        terminal.complain("The " + child.label() + " ended with exit code " + exitCode + ".");
    }

    /** Says how the checks went, and whether all passed. */
    boolean result(List<DemoCheck> checks) {
        List<DemoCheck> failed = checks.stream().filter(check -> !check.ok()).toList();
        if (failed.isEmpty()) {
            terminal.line(terminal.tinted("demo: all " + checks.size() + " checks passed", Tint.GREEN));
            return true;
        }
        terminal.line(terminal.tinted("demo: " + failed.size() + " of " + checks.size() + " checks failed", Tint.RED));
        failed.forEach(check -> terminal.line("  " + check.name() + ": " + check.detail()));
        return false;
    }

    void invitation(LocalStack stack) {
        String launcher = System.getProperty("tidemark.command", "tidemark");
        boolean standard = settings.ports().worker() == StackPorts.WORKER;
        String worker = standard ? "" : " --worker " + stack.workerUrl();
        terminal.line();
        terminal.line(terminal.tinted("It keeps running. From another terminal:", Tint.BOLD));
        for (String command : List.of(
                "query by_actor cast='Harrison Ford'",
                "query by_year year.gte=1990 year.lt=2000",
                "query by_town_last_name town=Seattle --json",
                "lag --watch")) {
            terminal.line(terminal.tinted("  " + launcher + " " + command + worker, Tint.CYAN));
        }
        terminal.line("  rows    " + stack.writerUrl() + "/v1/tables/customers/rows");
        terminal.line("  lag     " + stack.workerUrl() + "/v1/lag");
        terminal.line("  console " + stack.workerUrl() + "/");
        terminal.line("Ctrl-C ends it.");
    }
}
