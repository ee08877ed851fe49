package dev.tidemark.api;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A page of a scan.
 *
 * @param next opaque cursor; empty when nothing follows
 */
public record RowPage(List<FetchedRow> rows, String next) {
    /**
     * A row of a scan.
     *
     * @param key its primary key: the value, or a list of values
     * @param version opaque
     * @param row its fields
     */
    public record FetchedRow(JsonNode key, String version, JsonNode row) {}
}
