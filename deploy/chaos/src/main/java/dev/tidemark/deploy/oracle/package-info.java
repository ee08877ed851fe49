/**
 * The test oracle: computes from rows and definitions what an index must hold, by other means than the product's code.
 * The tests and the fault drill use it to check the product. It reads the terms of the catalog, and uses none of the
 * code that applies, answers or verifies.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.oracle.ExpectedEntries} (a row's entries),
 * {@link dev.tidemark.deploy.oracle.RowTimeline} (what a row can be, according to the answers to its client),
 * {@link dev.tidemark.deploy.oracle.ExpectedEntries.AnswerJudge} (what an answer may hold).
 *
 * <p>Everything is a function or a value but {@code RowTimeline}, whose methods any thread may call. What is wrong is
 * returned as sentences, never thrown.
 */
@NullMarked
package dev.tidemark.deploy.oracle;

import org.jspecify.annotations.NullMarked;
