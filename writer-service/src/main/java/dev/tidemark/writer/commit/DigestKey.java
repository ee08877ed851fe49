package dev.tidemark.writer.commit;

/**
 * Names one digest that is kept beside the rows.
 *
 * @param generation number of a generation of an index
 * @param partition of the rows whose entries are added up
 */
public record DigestKey(long generation, int partition) {}
