/**
 * Debezium's engine. {@link dev.tidemark.source.debezium.DebeziumEngineRun} runs it,
 * {@link dev.tidemark.source.debezium.ValueConverter} gives it the values as JSON,
 * {@link dev.tidemark.source.debezium.RecordReader} reads its records.
 */
@NullMarked
package dev.tidemark.source.debezium;

import org.jspecify.annotations.NullMarked;
