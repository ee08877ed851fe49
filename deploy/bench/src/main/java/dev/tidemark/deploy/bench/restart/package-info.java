/**
 * How long an index answers nothing after its process was killed:
 * {@link dev.tidemark.deploy.bench.restart.RestartSuite} fills both indexes,
 * {@link dev.tidemark.deploy.bench.restart.WorkerRestart} and {@link dev.tidemark.deploy.bench.restart.StreamsRestart}
 * kill and start again. One thread. A process that does not come back in time fails the race.
 */
@NullMarked
package dev.tidemark.deploy.bench.restart;

import org.jspecify.annotations.NullMarked;
