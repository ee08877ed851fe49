@NullMarked
package dev.tidemark.source.http;

import org.jspecify.annotations.NullMarked;
