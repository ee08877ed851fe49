/**
 * How long an index answers nothing after its process was killed: {@link
 * dev.tidemark.deploy.bench.restart.RestartSuite} fills both indexes, and kills and starts both systems. One thread. A
 * process that does not come back in time fails the benchmark.
 */
@NullMarked
package dev.tidemark.deploy.bench.restart;

import org.jspecify.annotations.NullMarked;
