/** How the baseline on Kafka Streams is asked over HTTP. */
@NullMarked
package dev.tidemark.streams.http;

import org.jspecify.annotations.NullMarked;
