/**
 * The command line: {@link dev.tidemark.deploy.cli.TidemarkMain} wires, {@link dev.tidemark.deploy.cli.Tidemark} puts
 * the commands together, and each command is a class that only translates between arguments, services and text.
 * {@link dev.tidemark.deploy.cli.CommandProvider} adds commands of other modules, which get a
 * {@link dev.tidemark.deploy.cli.CommandContext}.
 *
 * <p>Exit codes are in {@link dev.tidemark.deploy.cli.ExitCode}. A failure is one message on standard error, without a
 * stack trace. One thread.
 */
@NullMarked
package dev.tidemark.deploy.cli;

import org.jspecify.annotations.NullMarked;
