/**
 * What was seen of the fact tables from outside them, so that they cannot go back in time unnoticed: a restored copy, or
 * files that lost their newest part, open like any others.
 *
 * <p>Read {@link dev.tidemark.writer.recovery.RollbackDetector} first, then {@link dev.tidemark.writer.recovery.CommitHighWaterMark}, which
 * keeps the place of the newest commit in a small file beside the database, and
 * {@link dev.tidemark.writer.recovery.HighWaterMarkAgent}. The other witness is the topics themselves, see
 * {@code dev.tidemark.writer.outbox.LostWriteRecovery}.
 *
 * <p>The committer's thread writes the file, the thread {@code high-water-mark} syncs it. A file that cannot be written is logged
 * and stops nothing: what it would have told is on disk already.
 */
@NullMarked
package dev.tidemark.writer.recovery;

import org.jspecify.annotations.NullMarked;
