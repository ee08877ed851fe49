package dev.tidemark.deploy.cli;

import java.time.Duration;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackListener;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;

/** Says on standard error what happens to the children. */
final class StackReporter implements StackListener {
    private final Terminal terminal;
    private final StackSettings settings;

    StackReporter(Terminal terminal, StackSettings settings) {
        this.terminal = terminal;
        this.settings = settings;
    }

    @Override
    public void up(Role role, String address, Duration took) {
        terminal.complain(role.label() + " is up on " + address + " after " + Amounts.duration(took));
    }

    @Override
    public void died(Role role, int exitCode, boolean restarting) {
        terminal.complain(role.label() + " ended with exit code " + exitCode + " (see "
                + settings.data().resolve(role.label() + ".log") + "); "
                + (restarting ? "starting it again" : "with --restart it would be started again"));
    }

    @Override
    public void restarted(Role role) {
        terminal.complain(role.label() + " was started again");
    }
}
