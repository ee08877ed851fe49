package dev.tidemark.writer.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.StoredRow;

/** The calls that read several rows. */
final class ReadHandlers {
    private static final int PRESET_LIMIT = 100;
    private static final long MAX_PAGE_BYTES = 4L << 20;
    private static final int MAX_LOOKUP_KEYS = 1_000;
    private static final int MAX_LOOKUP_BYTES = 4 << 20;

    /** Rows of a lookup are read and sent so many at a time, because each may be large. */
    private static final int LOOKUP_PAGE = 32;

    private final Tables tables;
    private final FactStore store;
    private final int pageRows;

    ReadHandlers(Tables tables, FactStore store, int pageRows) {
        this.tables = tables;
        this.store = store;
        this.pageRows = pageRows;
    }

    void scan(Context context) throws IOException {
        TableDefinition table = tables.table(context).table();
        int limit = Requests.limit(context, PRESET_LIMIT, pageRows);
        KeyBytes after = Requests.parameter(context, "cursor")
                .map(cursor -> ScanCursor.read(table.name(), cursor))
                .orElse(null);
        ScanPage page = store.scan(table.name(), after, limit, MAX_PAGE_BYTES);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        RowsJson json = new RowsJson(body);
        for (KeyedRow row : page.rows()) {
            json.add(table, row.key(), row.stored());
        }
        json.end(",\"next\":" + (page.more() ? "\"" + next(table, page.rows()) + "\"" : "null"));
        context.result(body.toByteArray());
    }

    void lookup(Context context) throws BadInputException, IOException {
        TableDefinition table = tables.table(context).table();
        Requests.requireType(context, "application/json");
        List<KeyBytes> keys = keys(table, RowJson.parseObject(Requests.body(context, MAX_LOOKUP_BYTES)));
        RowVersion first = store.lastCommit().version();
        OutputStream out = context.outputStream();
        RowsJson json = new RowsJson(out);
        for (int from = 0; from < keys.size(); from += LOOKUP_PAGE) {
            List<KeyBytes> page = keys.subList(from, Math.min(keys.size(), from + LOOKUP_PAGE));
            List<@Nullable StoredRow> rows = store.findAll(table.name(), page);
            for (int i = 0; i < page.size(); i++) {
                json.add(table, page.get(i), rows.get(i));
            }
        }
        json.end(",\"from\":\"" + first + "\",\"to\":\"" + store.lastCommit().version() + "\"");
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
