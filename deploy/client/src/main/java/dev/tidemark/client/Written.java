package dev.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A write that was done: it is on disk, in the fact table and in the outbox.
 *
 * @param key primary key of the row: the value, or a list of values
 * @param version that the write gave to the row
 * @param token for {@link Session#receipt}; the session has kept it
 */
public record Written(JsonNode key, String version, String token) {}
