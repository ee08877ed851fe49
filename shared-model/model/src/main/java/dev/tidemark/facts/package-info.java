/**
 * A fact table as a stream of bytes, which the writer sends to a worker for the verification of an index.
 *
 * <p>Read in this order: {@link dev.tidemark.facts.FactStreamHead} (which moment the stream shows), {@link
 * dev.tidemark.facts.StreamedFact}, {@link dev.tidemark.facts.FactStreamWriter}, {@link
 * dev.tidemark.facts.FactStreamReader}.
 *
 * <p>A writer and a reader belong to one thread each and hold one row at a time. A stream that ends before its end
 * frame, or is not as the writer wrote it, is reported as {@link dev.tidemark.facts.TornStreamException} and proves
 * nothing.
 */
@NullMarked
package dev.tidemark.facts;

import org.jspecify.annotations.NullMarked;
