/**
 * Broker, writer and workers as child processes on one machine, for the command line, the demo and the end-to-end
 * tests.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.stack.Installation} (which jars, which java),
 * {@link dev.tidemark.deploy.stack.ChildId} and {@link dev.tidemark.deploy.stack.ChildProcess} (one child: started,
 * ended, killed, suspended), {@link dev.tidemark.deploy.stack.ChildSpecs} (how each is started),
 * {@link dev.tidemark.deploy.stack.LocalStack} (all together) and {@link dev.tidemark.deploy.stack.Supervisor} (starts
 * again what died).
 *
 * <p>A child never outlives its parent: it holds a pipe to it and ends when that closes, even after kill -9. What a
 * user can mend (a port in use, a child that does not come up) is a checked exception whose message can be shown as it
 * is.
 */
@NullMarked
package dev.tidemark.deploy.stack;

import org.jspecify.annotations.NullMarked;
