/**
 * What must be in an index, worked out from rows and definitions by other means than the product's, for whoever wants to
 * prove the product right or wrong: the tests and the fault drill use this one oracle. It knows the words of the catalog, and
 * none of the code that applies, answers or verifies.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.oracle.ExpectedEntries} (a row's entries),
 * {@link dev.tidemark.deploy.oracle.RowTimeline} (what a row can be, by what its client was told),
 * {@link dev.tidemark.deploy.oracle.AnswerJudge} (what an answer may hold), {@link dev.tidemark.deploy.oracle.Differences}.
 *
 * <p>Everything is a function or a value but {@code RowTimeline}, whose methods any thread may call. What is wrong is returned
 * as sentences, never thrown.
 */
@NullMarked
package dev.tidemark.deploy.oracle;

import org.jspecify.annotations.NullMarked;
