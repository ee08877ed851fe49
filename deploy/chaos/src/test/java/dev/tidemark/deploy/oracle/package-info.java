/**
 * Tests of the oracle: that it accepts what can be right, and notices what cannot.
 */
@NullMarked
package dev.tidemark.deploy.oracle;

import org.jspecify.annotations.NullMarked;
