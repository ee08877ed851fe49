/**
 * What a user of Kafka Streams would build in place of Tidemark, for the benchmarks alone: a processor that keeps an
 * index table in two stores. {@link dev.tidemark.streams.kafka.StreamsMain} runs it until it
 * has caught up, or lets it be read, {@link dev.tidemark.streams.kafka.StreamsApp} puts it together and knows how far
 * it is, {@link dev.tidemark.streams.kafka.IndexProcessor} does the work.
 *
 * <p>Threads: those of Kafka Streams. What fails ends the process with a code other than 0.
 */
@NullMarked
package dev.tidemark.streams.kafka;

import org.jspecify.annotations.NullMarked;
