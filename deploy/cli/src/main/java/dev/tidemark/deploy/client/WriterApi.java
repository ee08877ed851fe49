package dev.tidemark.deploy.client;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.api.BulkResult;
import dev.tidemark.api.RowPage;
import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.row.RowJson;

import static dev.tidemark.deploy.client.ServiceCalls.encoded;

/** The writer service: its tables, and the definitions that it keeps. */
public record WriterApi(ServiceCalls calls) {
    private static final int PAGE = 1_000;
    private static final String CATALOG = "/v1/catalog";

    /**
     * Sends rows as one streamed bulk request. Rows before a failure may have been committed.
     *
     * @param ndjson opens the rows, one JSON object a line
     */
    public BulkResult load(String table, Supplier<InputStream> ndjson) throws ServiceException, InterruptedException {
        return RowJson.as(BulkResult.class, calls.stream(rowsOf(table), ndjson));
    }

    /** All rows of a table, in key order, page by page. */
    public List<RowPage.FetchedRow> scan(String table) throws ServiceException, InterruptedException {
        List<RowPage.FetchedRow> rows = new ArrayList<>();
        String first = rowsOf(table) + "?limit=" + PAGE;
        RowPage page = RowJson.as(RowPage.class, calls.get(first));
        rows.addAll(page.rows());
        while (!page.next().isEmpty()) {
            page = RowJson.as(RowPage.class, calls.get(first + "&cursor=" + encoded(page.next())));
            rows.addAll(page.rows());
        }
        return rows;
    }

    /** The definitions in force. */
    public Definitions inForce() throws ServiceException, InterruptedException {
        try {
            return DefinitionsJson.read(RowJson.write(calls.get(CATALOG)));
        } catch (BadDefinitionsException e) {
            throw new ServiceException("the writer gave no usable definitions: " + e.getMessage());
        }
    }

    /**
     * Brings a catalog in force.
     *
     * @param catalog text of a catalog file
     * @param version that the change was made from; refused when another one is in force
     * @return the new version and what was changed, as the service answers
     */
    public JsonNode put(String catalog, long version) throws ServiceException, InterruptedException {
        return change("PUT", CATALOG, "application/yaml", catalog, version);
    }

    /**
     * Has an order carried out; otherwise as {@link #put(String, long)}.
     *
     * @param order such as retire
     */
    public JsonNode order(String order, String table, String index, long version)
            throws ServiceException, InterruptedException {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("order", order).put("table", table).put("index", index);
        return change("POST", CATALOG + "/orders", "application/json", json.toString(), version);
    }

    private JsonNode change(String method, String path, String type, String body, long version)
            throws ServiceException, InterruptedException {
        return calls.send(method, path, Map.of("Content-Type", type, "If-Match", "\"" + version + "\""), body);
    }

    private static String rowsOf(String table) {
        return "/v1/tables/" + encoded(table) + "/rows";
    }
}
