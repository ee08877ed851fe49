@NullMarked
package dev.tidemark.source.debezium;

import org.jspecify.annotations.NullMarked;
