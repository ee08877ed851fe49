/** What RocksDB needs to start quickly. Single-threaded; errors are thrown as {@link java.io.IOException}. */
@NullMarked
package dev.tidemark.deploy.faststart.rocks;

import org.jspecify.annotations.NullMarked;
