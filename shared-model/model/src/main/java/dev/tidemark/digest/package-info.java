/**
 * Sums over sets of entries that are equal when the sets are, kept without sorting and without reading the set again.
 *
 * <p>Read {@link dev.tidemark.digest.Digest} first, then {@link dev.tidemark.digest.EntryDigest}, which says what of an
 * entry goes in, and {@link dev.tidemark.digest.RowTerms}, which says what a row gives.
 *
 * <p>Everything here is immutable or without state and for any thread. Nothing fails but parsing.
 */
@NullMarked
package dev.tidemark.digest;

import org.jspecify.annotations.NullMarked;
