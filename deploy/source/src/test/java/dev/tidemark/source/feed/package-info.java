@NullMarked
package dev.tidemark.source.feed;

import org.jspecify.annotations.NullMarked;
