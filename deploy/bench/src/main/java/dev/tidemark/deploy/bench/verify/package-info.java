/**
 * How many rows a second a comparison of a table with its index looks at.
 *
 * <p>Read {@link dev.tidemark.deploy.bench.verify.VerifyRun} (from a new stack to the report), then
 * {@link dev.tidemark.deploy.bench.verify.TableVerifier}, what is measured. One thread; failures are
 * {@link dev.tidemark.deploy.bench.BenchException}s.
 */
@NullMarked
package dev.tidemark.deploy.bench.verify;

import org.jspecify.annotations.NullMarked;
