package dev.tidemark.deploy.cli;

import java.util.function.Consumer;

import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.text.Terminal;

/**
 * What every command of one run shares.
 *
 * @param readiness asks a started process whether it serves
 * @param atExit takes work to do when the process ends, also after Ctrl-C
 */
public record CommandContext(
        Services services, ReadinessProbe readiness, Terminal terminal, Consumer<Runnable> atExit) {}
