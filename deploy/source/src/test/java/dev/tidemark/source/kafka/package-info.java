@NullMarked
package dev.tidemark.source.kafka;

import org.jspecify.annotations.NullMarked;
