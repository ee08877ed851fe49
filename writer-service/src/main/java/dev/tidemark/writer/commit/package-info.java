/**
 * The way of a write into the fact table.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.commit.WriteRequest} with its
 * {@link dev.tidemark.writer.commit.WriteCommand}s, {@link dev.tidemark.writer.commit.RowRules} (what may enter a
 * table), {@link dev.tidemark.writer.commit.Committer} (who does it), {@link dev.tidemark.writer.commit.GroupPlanner}
 * (what is done: pure), {@link dev.tidemark.writer.commit.FactStore} (the port behind it).
 *
 * <p>Any thread hands in requests; the thread {@code committer} alone plans and commits. A request that cannot be taken
 * is refused at once with a checked exception that says why; a commit that fails fails all of its requests, and none of
 * them is half done.
 */
@NullMarked
package dev.tidemark.writer.commit;

import org.jspecify.annotations.NullMarked;
