package dev.tidemark.worker.advise;

import java.time.Duration;

/**
 * How an index was asked.
 *
 * @param queries questions answered
 * @param fetches those of them that fetched the rows
 * @param watched for how long they could have come: since the process began, or since the index could first answer
 */
public record Usage(long queries, long fetches, Duration watched) {}
