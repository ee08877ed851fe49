package dev.tidemark.deploy.cli;

import java.util.function.Consumer;

import picocli.CommandLine.Command;

import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.text.Terminal;

/**
 * What every command of one run shares; for picocli, a mixin without options.
 *
 * @param readiness asks a started process whether it serves
 * @param atExit takes work to do when the process ends, also after Ctrl-C
 */
@Command
public record CommandContext(
        Services services, ReadinessProbe readiness, Terminal terminal, Consumer<Runnable> atExit) {}
