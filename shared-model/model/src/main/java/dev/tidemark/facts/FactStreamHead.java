package dev.tidemark.facts;

import java.time.Instant;

import dev.tidemark.row.RowVersion;

/**
 * Which moment a stream of facts shows.
 *
 * @param version the last commit that is in it, of any table; every change up to it is, and none after it
 * @param time when that was committed, to the microsecond; 1970 where nothing was
 */
public record FactStreamHead(RowVersion version, Instant time) {}
