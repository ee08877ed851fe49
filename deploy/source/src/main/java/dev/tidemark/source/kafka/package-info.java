/** Topics of Kafka, as a source reads them. */
@NullMarked
package dev.tidemark.source.kafka;

import org.jspecify.annotations.NullMarked;
