package dev.tidemark.worker.advise;

import java.time.Duration;

/**
 * How an index was queried.
 *
 * @param queries the number of answered queries
 * @param fetches the number of these queries that fetched the rows
 * @param watched how long queries were possible: since the process began, or since the index could first answer
 */
public record Usage(long queries, long fetches, Duration watched) {}
