/** Tests of the commands of the benchmarks. */
@NullMarked
package dev.tidemark.deploy.bench.cli;

import org.jspecify.annotations.NullMarked;
