package dev.tidemark.writer.http;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.JsonBytes;
import dev.tidemark.writer.commit.StoredRow;

/** Writes {@code {"rows":[{"key","version","row"},…]}}, the rows as they are stored, without reading them. */
final class RowsJson {
    /** What a row takes beside its key and itself. */
    private static final int FRAME_BYTES = 64;

    private JsonBytes json;
    private boolean first = true;

    /**
     * Begins the rows.
     *
     * @param bytes about how many come before they are taken
     */
    RowsJson(int bytes) {
        json = new JsonBytes(bytes).raw("{\"rows\":[");
    }

    /** About how many bytes a row takes. */
    static int bytes(KeyBytes key, @Nullable StoredRow stored) {
        return stored == null
                ? FRAME_BYTES
                : FRAME_BYTES + 2 * key.length() + stored.row().bytes().length;
    }

    /** Adds a row; null where the store has none. */
    void add(TableDefinition table, KeyBytes key, @Nullable StoredRow stored) {
        if (!first) {
            json.raw(",");
        }
        first = false;
        if (stored == null) {
            json.raw("null");
            return;
        }
        json.raw("{\"key\":")
                .node(Keys.toJson(table, key))
                .raw(",\"version\":\"")
                .raw(stored.version().toString())
                .raw("\",\"row\":")
                .raw(stored.row().bytes())
                .raw("}");
    }

    /** Ends the rows, with more members of the answer as JSON text. */
    void end(String members) {
        json.raw("]").raw(members).raw("}");
    }

    /** Returns everything since the last call; {@code next} is the approximate size in bytes of what follows. */
    ByteBuffer take(int next) {
        ByteBuffer taken = json.toBuffer();
        json = new JsonBytes(next);
        return taken;
    }
}
