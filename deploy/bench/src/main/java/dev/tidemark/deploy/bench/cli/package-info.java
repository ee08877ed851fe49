/**
 * The commands of the benchmarks: {@link dev.tidemark.deploy.bench.cli.BenchMain} wires them,
 * {@link dev.tidemark.deploy.bench.cli.BenchCommand} runs all of them, and each benchmark is a command below it. {@link
 * dev.tidemark.deploy.bench.cli.BaselineMain} is the process of the baselines of this project.
 *
 * <p>One thread. Failures become exit codes and messages, as in {@code dev.tidemark.deploy.cli}.
 */
@NullMarked
package dev.tidemark.deploy.bench.cli;

import org.jspecify.annotations.NullMarked;
