/**
 * Threads, time and life of a process. The only package beside the {@code *Main} classes that makes threads or reads a
 * clock.
 *
 * <p>Read in this order: {@link dev.tidemark.runtime.Agent} and {@link dev.tidemark.runtime.AgentRunner} (who runs
 * what), {@link dev.tidemark.runtime.SteadyClock} (what time it is), {@link dev.tidemark.runtime.DataDirectory} (one
 * process a directory), {@link dev.tidemark.runtime.ServiceProcess} (start, stop, exit code),
 * {@link dev.tidemark.runtime.BoundedWait} (bounded waits).
 *
 * <p>An agent's methods are called by one thread. An agent that throws is not run again: its failure is kept, logged,
 * and shown by {@link dev.tidemark.runtime.AgentRunner#failure()}, so that the service stops being ready.
 */
@NullMarked
package dev.tidemark.runtime;

import org.jspecify.annotations.NullMarked;
