package dev.tidemark.writer.leader;

/**
 * The writer that holds the right to commit.
 *
 * @param term greater than that of every holder before it
 * @param url where the writer serves
 * @param place host, process number and path of the data directory, for people
 * @param renewals moves whenever the writer says that it still runs, or commits
 */
public record TermHolder(long term, String url, String place, long renewals) {}
