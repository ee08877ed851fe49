/**
 * The commands that look for failures: {@link dev.tidemark.deploy.chaos.ProbeCommand} runs the prober,
 * {@link dev.tidemark.deploy.chaos.DrillCommand} runs the drill, {@link dev.tidemark.deploy.chaos.ChaosMain} wires both
 * into the command line. {@link dev.tidemark.deploy.chaos.ProbeText} and {@link dev.tidemark.deploy.chaos.DrillText}
 * print reports.
 *
 * <p>One thread. Failures become exit codes and messages, as in {@code dev.tidemark.deploy.cli}.
 */
@NullMarked
package dev.tidemark.deploy.chaos;

import org.jspecify.annotations.NullMarked;
