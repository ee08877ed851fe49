/**
 * Fuzzing: {@link dev.tidemark.deploy.fuzz.Target} lists what is fuzzed, {@code Fuzzed} is what a fuzzer calls, and
 * {@code CorpusTest} gives every target the inputs that were kept. {@code .ci/fuzz} runs a fuzzer for a while.
 */
@NullMarked
package dev.tidemark.deploy.fuzz;

import org.jspecify.annotations.NullMarked;
