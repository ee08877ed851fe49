/**
 * Copies of what a service keeps, made while it works.
 *
 * <p>Read {@link dev.tidemark.backup.Backups}. For any thread, one copy at a time. A copy is there whole or not at all.
 */
@NullMarked
package dev.tidemark.backup;

import org.jspecify.annotations.NullMarked;
