/**
 * The command line: {@link dev.tidemark.deploy.cli.TidemarkMain} wires, and {@link dev.tidemark.deploy.cli.Tidemark}
 * puts the commands together. A command is a static method that only translates between arguments, services and text,
 * in {@link dev.tidemark.deploy.cli.StackCommands}, {@link dev.tidemark.deploy.cli.TableCommands},
 * {@link dev.tidemark.deploy.cli.QueryCommands}, {@link dev.tidemark.deploy.cli.WorkerCommands} or
 * {@link dev.tidemark.deploy.cli.IndexCommands}; one with more steps is a class, such as
 * {@link dev.tidemark.deploy.cli.ApplyCommand}. {@link dev.tidemark.deploy.cli.DoctorMain} wires
 * {@link dev.tidemark.deploy.cli.DoctorCommand}, which needs Kafka and RocksDB as no other command does. What commands
 * share reaches them as a picocli mixin: {@link dev.tidemark.deploy.cli.ClientOptions} or
 * {@link dev.tidemark.deploy.cli.CommandContext}. {@link dev.tidemark.deploy.cli.CommandProvider} adds commands of
 * other modules. {@link dev.tidemark.deploy.cli.ManualMain} writes what a release has beside the command, by the same
 * tree.
 *
 * <p>Exit codes are those of {@link picocli.CommandLine.ExitCode}: 0 for what was asked, 1 for a failure or a
 * difference, 2 for wrong arguments. A failure is one message on standard error, without a stack trace. One thread.
 */
@NullMarked
package dev.tidemark.deploy.cli;

import org.jspecify.annotations.NullMarked;
