/** Tests of the order-preserving encoding: vectors, properties, and FoundationDB's tuples as oracle. */
@NullMarked
package dev.tidemark.key;

import org.jspecify.annotations.NullMarked;
