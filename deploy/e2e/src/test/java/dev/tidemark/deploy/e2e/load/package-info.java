/**
 * Rows to write and clients that write them.
 */
@NullMarked
package dev.tidemark.deploy.e2e.load;

import org.jspecify.annotations.NullMarked;
