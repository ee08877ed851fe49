package dev.tidemark.writer.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.BodyChunks;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.JsonBytes;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.StoredRow;

/** The calls that read rows. */
record ReadHandlers(Tables tables, FactStore store, int pageRows) {
    private static final int PRESET_LIMIT = 100;
    private static final long MAX_PAGE_BYTES = 4L << 20;
    private static final int MAX_LOOKUP_KEYS = 1_000;
    private static final int MAX_LOOKUP_BYTES = 4 << 20;

    /**
     * Most rows of a lookup that are read and sent at once; fewer where those could have more than
     * {@link #MAX_PIECE_BYTES}.
     */
    private static final int LOOKUP_PAGE = 32;

    private static final long MAX_PIECE_BYTES = 4L << 20;

    /** Rows are held as they are stored, as what the store gave, and as the answer. */
    private static final int COPIES = 3;

    private static final int END_BYTES = 4_096;
    private static final int LOOKUP_END_BYTES = 256;

    void get(Call call) throws BadInputException {
        RowRules table = tables.table(call);
        KeyBytes key = tables.key(call, table);
        StoredRow found = store.find(table.table().name(), key);
        if (found == null) {
            throw new ProblemException(Problem.notFound("there is no row " + Tables.shown(table.table(), key)
                    + " in table " + table.table().name()));
        }
        call.header("ETag", RequestPreconditions.tag(found.version()));
        if (RequestPreconditions.alreadyHas(call, found.version())) {
            call.status(304);
        } else {
            call.result(found.row().bytes());
        }
    }

    /** A page ends early, with a cursor, where there is little memory left. */
    void scan(Call call) {
        RowRules rules = tables.table(call);
        TableDefinition table = rules.table();
        int limit = Requests.limit(call, PRESET_LIMIT, pageRows);
        KeyBytes after = Requests.parameter(call, "cursor")
                .map(cursor -> ScanCursor.read(table.name(), cursor))
                .orElse(null);
        long most = reserved(call, rules.maxRowBytes());
        ScanPage page = store.scan(table.name(), after, limit, most);
        int bytes = page.rows().stream()
                .mapToInt(row -> RowsJson.bytes(row.key(), row.stored()))
                .sum();
        RowsJson json = new RowsJson(bytes + END_BYTES);
        for (KeyedRow row : page.rows()) {
            json.add(table, row.key(), row.stored());
        }
        json.end(",\"next\":" + (page.more() ? "\"" + next(table, page.rows()) + "\"" : "null"));
        call.result(json.take(0));
    }

    /** Reserves memory for a page, as text in the store and as answer; how many bytes of rows it is for. */
    private static long reserved(Call call, int maxRowBytes) {
        long most = MAX_PAGE_BYTES;
        while (most > maxRowBytes && !call.tryReserve(COPIES * (most + maxRowBytes))) {
            most /= 2;
        }
        if (most <= maxRowBytes) {
            call.reserve(COPIES * 2L * maxRowBytes);
        }
        return most;
    }

    int body(Call call) {
        tables.table(call);
        Requests.requireType(call, "application/json");
        return MAX_LOOKUP_BYTES;
    }

    void lookup(Call call) throws BadInputException {
        RowRules rules = tables.table(call);
        List<KeyBytes> keys = keys(rules.table(), Requests.object(call));
        int atOnce = (int) Math.max(1, Math.min(LOOKUP_PAGE, MAX_PIECE_BYTES / rules.maxRowBytes()));
        while (atOnce > 1 && !call.tryReserve(COPIES * (long) atOnce * rules.maxRowBytes())) {
            atOnce /= 2;
        }
        if (atOnce == 1) {
            call.reserve(COPIES * (long) rules.maxRowBytes());
        }
        call.result(new LookupChunks(store, rules.table(), keys, atOnce));
    }

    private static String next(TableDefinition table, List<KeyedRow> page) {
        return ScanCursor.write(table.name(), page.get(page.size() - 1).key());
    }

    private static List<KeyBytes> keys(TableDefinition table, ObjectNode request) throws BadInputException {
        JsonNode list = request.path("keys");
        if (!list.isArray() || list.size() > MAX_LOOKUP_KEYS || request.size() != 1) {
            String found = list.isArray() ? "a list of " + list.size() : RowJson.describe(list);
            Problem problem = Problem.badRequest("expected {\"keys\":[…]} with at most " + MAX_LOOKUP_KEYS
                    + " keys, but got " + found + (request.size() > 1 ? " among other members" : ""));
            throw new ProblemException(
                    list.size() > MAX_LOOKUP_KEYS ? problem.typed(ProblemType.TOO_MANY_KEYS) : problem);
        }
        List<KeyBytes> keys = new ArrayList<>(list.size());
        for (JsonNode key : list) {
            keys.add(table.keyFromJson(key));
        }
        return keys;
    }

    /** The answer to a lookup, read and written a few rows at a time. */
    private static final class LookupChunks implements BodyChunks {
        private final FactStore store;
        private final TableDefinition table;
        private final List<KeyBytes> keys;
        private final int atOnce;
        private final RowVersion from;
        private final RowsJson json = new RowsJson(LOOKUP_END_BYTES);
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
                json.end(",\"from\":\"" + from + "\",\"to\":\""
                        + store.lastCommit().version() + "\"");
            }
            return json.take(LOOKUP_END_BYTES);
        }

        @Override
        public void close() {}
    }

    /** Writes {@code {"rows":[{"key","version","row"},…]}}, the rows as they are stored, without reading them. */
    private static final class RowsJson {
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
                    .node(Tables.shown(table, key))
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
}
