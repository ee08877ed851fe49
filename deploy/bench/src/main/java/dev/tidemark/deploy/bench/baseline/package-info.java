/**
 * The processes of the peers that are made here: {@link dev.tidemark.deploy.bench.baseline.PlainLoopMain} and
 * {@link dev.tidemark.deploy.bench.baseline.StoreAloneMain}. One thread each; what fails ends the process with a code
 * other than 0.
 */
@NullMarked
package dev.tidemark.deploy.bench.baseline;

import org.jspecify.annotations.NullMarked;
