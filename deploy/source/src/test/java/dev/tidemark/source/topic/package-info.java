@NullMarked
package dev.tidemark.source.topic;

import org.jspecify.annotations.NullMarked;
