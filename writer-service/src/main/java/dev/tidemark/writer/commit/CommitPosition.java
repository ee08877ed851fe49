package dev.tidemark.writer.commit;

import java.time.Instant;

import dev.tidemark.row.RowVersion;

/**
 * A place in commit order, and the time that goes with it: every commit at or before the time has a version up to this
 * one, and every later commit has a later time.
 *
 * @param version the last change before the place; sequence 0 where there is none
 * @param time in microseconds
 */
public record CommitPosition(RowVersion version, Instant time) {}
