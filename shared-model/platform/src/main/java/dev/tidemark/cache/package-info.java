/**
 * What a store wrote last of its rows, kept on the heap within a bound and in a few large arrays, so that neither
 * lookups nor the collector take the time that this is meant to save.
 *
 * <p>Read in this order: {@link dev.tidemark.cache.RowCache}, {@link dev.tidemark.cache.RowCacheMemory} (one bound for
 * several caches), {@code RowPages} (the arrays). A cache belongs to the thread that writes to its store; the room is
 * for any thread. Nothing here fails: what does not fit is not kept.
 */
@NullMarked
package dev.tidemark.cache;

import org.jspecify.annotations.NullMarked;
