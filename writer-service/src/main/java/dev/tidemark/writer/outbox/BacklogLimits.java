package dev.tidemark.writer.outbox;

/**
 * How much may wait to be published. Beyond either bound writes are refused until the backlog has drained.
 *
 * @param records most changes
 * @param bytes most bytes of them
 */
public record BacklogLimits(long records, long bytes) {}
