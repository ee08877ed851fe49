package dev.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A row of a fact table.
 *
 * @param key its primary key: the value, or a list of values
 * @param version opaque; grows with each write of the row
 * @param value what the row holds
 */
public record Row<T>(JsonNode key, String version, T value) {}
