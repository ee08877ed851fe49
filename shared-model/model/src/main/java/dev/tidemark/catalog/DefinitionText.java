package dev.tidemark.catalog;

import java.nio.charset.StandardCharsets;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;

/**
 * Definitions as text to be stored beside data, so that a changed definition is noticed: two texts are equal exactly
 * when the definitions mean the same. The form is frozen: it is on disk.
 */
public final class DefinitionText {
    private DefinitionText() {}

    /** An index, without its name and table. */
    public static String of(IndexDefinition index) {
        return new String(RowJson.write(DefinitionJson.of(index)), StandardCharsets.UTF_8);
    }
}
