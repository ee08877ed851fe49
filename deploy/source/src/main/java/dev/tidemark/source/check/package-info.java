/**
 * What a database lacks before it can be followed. {@link dev.tidemark.source.check.DatabaseRules} judges
 * {@link dev.tidemark.source.check.DatabaseFacts}; every lack comes with the SQL that mends it.
 */
@NullMarked
package dev.tidemark.source.check;

import org.jspecify.annotations.NullMarked;
