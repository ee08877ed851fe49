/**
 * The writer service: commits rows to the fact tables and relays each change to Kafka.
 *
 * <p>Read {@link dev.tidemark.writer.WriterMain} for how it is put together, then the packages in the order of a
 * write's way: {@code http}, {@code commit}, {@code rocks}, {@code outbox}, {@code kafka}.
 */
@NullMarked
package dev.tidemark.writer;

import org.jspecify.annotations.NullMarked;
