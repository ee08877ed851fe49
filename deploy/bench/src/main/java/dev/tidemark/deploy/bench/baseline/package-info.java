/**
 * The process of the baselines of this project: {@link dev.tidemark.deploy.bench.baseline.BaselineMain}. One thread; an
 * error ends the process with a code other than 0.
 */
@NullMarked
package dev.tidemark.deploy.bench.baseline;

import org.jspecify.annotations.NullMarked;
