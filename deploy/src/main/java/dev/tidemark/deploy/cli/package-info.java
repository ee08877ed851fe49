/**
 * The command line: {@link dev.tidemark.deploy.cli.TidemarkMain} wires, {@link dev.tidemark.deploy.cli.Tidemark} puts the
 * commands together, and each command is a class that only translates between arguments, services and text.
 *
 * <p>Exit codes: 0 done, 1 the thing failed (one message on standard error, no stack trace), 2 wrong usage. One thread.
 */
@NullMarked
package dev.tidemark.deploy.cli;

import org.jspecify.annotations.NullMarked;
