package dev.tidemark.writer.http;

import java.nio.ByteBuffer;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.BodyChunks;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.StoredRow;

/** The answer to a lookup, read and written a few rows at a time. */
final class LookupChunks implements BodyChunks {
    private static final int END_BYTES = 256;

    private final FactStore store;
    private final TableDefinition table;
    private final List<KeyBytes> keys;
    private final int atOnce;
    private final RowVersion from;
    private final RowsJson json = new RowsJson(END_BYTES);
    private int done;
    private boolean ended;

    LookupChunks(FactStore store, TableDefinition table, List<KeyBytes> keys, int atOnce) {
        this.store = store;
        this.table = table;
        this.keys = keys;
        this.atOnce = atOnce;
        this.from = store.lastCommit().version();
    }

    @Override
    public @Nullable ByteBuffer next() {
        if (ended) {
            return null;
        }
        List<KeyBytes> page = keys.subList(done, Math.min(keys.size(), done + atOnce));
        List<@Nullable StoredRow> rows = store.findAll(table.name(), page);
        for (int i = 0; i < page.size(); i++) {
            json.add(table, page.get(i), rows.get(i));
        }
        done += page.size();
        if (done == keys.size()) {
            ended = true;
            json.end(",\"from\":\"" + from + "\",\"to\":\"" + store.lastCommit().version() + "\"");
        }
        return json.take(END_BYTES);
    }

    @Override
    public void close() {}
}
