package dev.tidemark.client;

import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An entry of an index.
 *
 * @param key values of the key parts, by field
 * @param primaryKey of the row: the value, or a list of values
 * @param shard hash shard of the row
 * @param version newest version of the row that the index knows
 * @param row the projected fields, or with {@link Query#fetchRow()} the row as it is now; empty where the index holds
 *     none, and where a row to fetch is gone
 */
public record Entry<T>(JsonNode key, JsonNode primaryKey, int shard, String version, Optional<T> row) {}
