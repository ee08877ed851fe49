package dev.tidemark.writer.leader;

import java.time.Instant;

/**
 * The claim of a process to be the writer of its deployment from now on.
 *
 * @param process an identity that the process made when it started
 * @param directory an identity of its data directory, which no copy of the directory shares
 * @param place host, process number and path of the data directory, for people
 * @param at when it was claimed, by the clock of the process
 */
public record Claim(String process, String directory, String place, Instant at) {}
