/**
 * The services as a benchmark uses them, over HTTP. For any thread; what fails, fails the future that was given out.
 */
@NullMarked
package dev.tidemark.deploy.bench.http;

import org.jspecify.annotations.NullMarked;
