package dev.tidemark.catalog;

import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;

/**
 * Definitions as text to be stored beside data, so that a changed definition is noticed: two texts are equal exactly
 * when the definitions mean the same. The form is frozen: it is on disk.
 */
public final class DefinitionText {
    private DefinitionText() {}

    /** A table with its indexes. */
    public static String of(TableDefinition table) {
        return text(DefinitionJson.of(table));
    }

    /** An index, without its name and table. */
    public static String of(IndexDefinition index) {
        return text(DefinitionJson.of(index));
    }

    private static String text(JsonNode json) {
        return new String(RowJson.write(json), StandardCharsets.UTF_8);
    }
}
