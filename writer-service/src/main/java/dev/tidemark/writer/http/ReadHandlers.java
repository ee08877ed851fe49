package dev.tidemark.writer.http;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.ScanPage;

/** The calls that read several rows. */
final class ReadHandlers {
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

    private final Tables tables;
    private final FactStore store;
    private final int pageRows;

    ReadHandlers(Tables tables, FactStore store, int pageRows) {
        this.tables = tables;
        this.store = store;
        this.pageRows = pageRows;
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
}
