/**
 * What a user of Kafka Streams would build in place of Tidemark, for the benchmarks alone: a processor that keeps an
 * index table in two stores. {@link dev.tidemark.streams.kafka.StreamsApp} puts it together,
 * {@link dev.tidemark.streams.kafka.StreamsPeerMain} runs it until it has caught up,
 * {@link dev.tidemark.streams.kafka.StreamsServerMain} lets it be read,
 * {@link dev.tidemark.streams.kafka.IndexProcessor} does the work,
 * {@link dev.tidemark.streams.kafka.ProcessingProgress} knows how far it is.
 *
 * <p>Threads: those of Kafka Streams. What fails ends the process with a code other than 0.
 */
@NullMarked
package dev.tidemark.streams.kafka;

import org.jspecify.annotations.NullMarked;
