/**
 * The high-water mark of the fact tables, recorded outside them, so that they cannot go back in time unnoticed: a
 * restored copy, or files that lost their newest part, open like any others.
 *
 * <p>Read {@link dev.tidemark.writer.recovery.EpochRecovery} first, then
 * {@link dev.tidemark.writer.recovery.CommitHighWaterMark}, which keeps the newest commit position in a small file
 * beside the database. The topics are the second such record, see {@code dev.tidemark.writer.outbox.LostWriteRecovery}.
 *
 * <p>The committer's thread writes the file, the thread {@code high-water-mark} syncs it. A file that cannot be written
 * is logged and stops nothing: the commits that it would have recorded are on disk already.
 */
@NullMarked
package dev.tidemark.writer.recovery;

import org.jspecify.annotations.NullMarked;
