/** The writer over HTTP, by the client for Java. */
@NullMarked
package dev.tidemark.source.http;

import org.jspecify.annotations.NullMarked;
