/** What RocksDB needs to start quickly. One thread; errors are told by {@link java.io.IOException}. */
@NullMarked
package dev.tidemark.deploy.faststart.rocks;

import org.jspecify.annotations.NullMarked;
