/**
 * The meter registry of a service, and the meters that every service has: JVM, process, and the readings that other
 * technologies give of themselves.
 */
@NullMarked
package dev.tidemark.metrics;

import org.jspecify.annotations.NullMarked;
