package dev.tidemark.writer.outbox;

import java.time.Instant;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * A delete whose row is to be forgotten some time later.
 *
 * @param table name of the fact table
 * @param partition the row's hash shard
 * @param key encoded primary key
 * @param version version of the delete
 * @param deletedAt when it was committed
 */
public record Tombstone(String table, int partition, KeyBytes key, RowVersion version, Instant deletedAt) {}
