/**
 * What the tests of every module share: the rules of the architecture, and a clock that a test moves.
 *
 * <p>Part of the test jar, so a change here is a change for the tests of all modules.
 */
@NullMarked
package dev.tidemark.testkit;

import org.jspecify.annotations.NullMarked;
