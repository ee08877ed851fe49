/** Tests of what benchmarks do with Kafka. */
@NullMarked
package dev.tidemark.deploy.bench.kafka;

import org.jspecify.annotations.NullMarked;
