package dev.tidemark.writer.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.commit.StoredRow;

/** Writes {@code {"rows":[{"key","version","row"},…]}}, the rows as they are stored, without reading them. */
final class RowsJson {
    private final OutputStream out;
    private boolean first = true;

    RowsJson(OutputStream out) throws IOException {
        this.out = out;
        text("{\"rows\":[");
    }

    /** Adds a row; null where the store has none. */
    void add(TableDefinition table, KeyBytes key, @Nullable StoredRow stored) throws IOException {
        if (!first) {
            text(",");
        }
        first = false;
        if (stored == null) {
            text("null");
            return;
        }
        text("{\"key\":");
        out.write(RowJson.write(Keys.toJson(table, key)));
        text(",\"version\":\"" + stored.version() + "\",\"row\":");
        out.write(stored.row().bytes());
        text("}");
    }

    /** Ends the rows, with more members of the answer as JSON text. */
    void end(String members) throws IOException {
        text("]" + members + "}");
    }

    private void text(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
