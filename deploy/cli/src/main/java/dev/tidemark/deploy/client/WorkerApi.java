package dev.tidemark.deploy.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.row.RowJson;

import static dev.tidemark.deploy.client.ServiceCalls.encoded;

/** The index worker. Answers are as the service gives them, unless a method says otherwise. */
public record WorkerApi(ServiceCalls calls) {
    private static final String INDEXES = "/v1/indexes";

    /** Entries of an index. */
    public JsonNode query(QueryRequest query) throws ServiceException, InterruptedException {
        String parameters = query.parameters().stream()
                .map(parameter -> encoded(parameter.getKey()) + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return calls.get(pathOf(query.index()) + "/entries" + (parameters.isEmpty() ? "" : "?" + parameters));
    }

    /** The lag summary. */
    public JsonNode lag() throws ServiceException, InterruptedException {
        return calls.get("/v1/lag");
    }

    /** The workers with their shards, and what none of them has. */
    public JsonNode workers() throws ServiceException, InterruptedException {
        return calls.get("/v1/workers");
    }

    /** Every index. */
    public JsonNode list() throws ServiceException, InterruptedException {
        return calls.get(INDEXES);
    }

    /** Every index, as records. */
    public List<IndexLifecycle> lifecycleStates() throws ServiceException, InterruptedException {
        return RowJson.as(IndexLifecycle.All.class, list()).indexes();
    }

    /**
     * One index with its shards, its forecast and its actual values.
     *
     * @param index its name, or {@code table.index}
     */
    public JsonNode show(String index) throws ServiceException, InterruptedException {
        return calls.get(pathOf(index));
    }

    /**
     * Gives an order about an index.
     *
     * @param order pause, resume, cancel or rollback
     * @param index its name, or {@code table.index}
     */
    public JsonNode order(String order, String index) throws ServiceException, InterruptedException {
        return calls.post(pathOf(index) + "/" + order);
    }

    /**
     * Why a row is, or is not, in an index.
     *
     * @param key the parts of the row's primary key, each spelled as in a URL
     */
    public JsonNode explain(String index, List<String> key) throws ServiceException, InterruptedException {
        // Commas between the parts stay as they are; those within are encoded.
        String parts = key.stream().map(ServiceCalls::encoded).collect(Collectors.joining(","));
        return calls.get(pathOf(index) + "/explain?key=" + parts);
    }

    /**
     * The receipt of a write.
     *
     * @param token what the write answered
     * @param wait how long the service may wait until it is decided, such as 2s
     */
    public JsonNode receipt(String token, String wait) throws ServiceException, InterruptedException {
        return calls.get("/v1/receipts/" + encoded(token) + "?wait=" + encoded(wait));
    }

    /** Stops the indexes of a table from following it. */
    public JsonNode pause(String table) throws ServiceException, InterruptedException {
        return calls.post("/v1/tables/" + encoded(table) + "/pause");
    }

    /** Lets them go on where they stopped. */
    public JsonNode resume(String table) throws ServiceException, InterruptedException {
        return calls.post("/v1/tables/" + encoded(table) + "/resume");
    }

    /**
     * Starts the verification of the indexes of a table; {@link #verification} returns its result.
     *
     * @param index bare name of one index; empty for all
     * @param full whether every row is compared by what it gives, rather than by its version
     * @param repair whether rows that differ are put right
     */
    public JsonNode verify(String table, Optional<String> index, boolean full, boolean repair)
            throws ServiceException, InterruptedException {
        ObjectNode order = RowJson.mapper().createObjectNode().put("table", table);
        index.ifPresent(name -> order.put("index", name));
        order.put("mode", full ? "full" : "quick").put("repair", repair);
        return calls.send("POST", "/v1/verify", Map.of("Content-Type", "application/json"), order.toString());
    }

    /** The state or result of a verification. */
    public JsonNode verification(String id) throws ServiceException, InterruptedException {
        return calls.get("/v1/verify/" + encoded(id));
    }

    /** What would make the indexes better. */
    public JsonNode advice() throws ServiceException, InterruptedException {
        return calls.get("/v1/advice");
    }

    /**
     * Starts a forecast of the indexes of a catalog; {@link #plan(String)} returns its result.
     *
     * @param catalog as in a catalog file
     * @param percent the part of the rows to look at, above 0 and at most 100
     */
    public JsonNode plan(String catalog, double percent) throws ServiceException, InterruptedException {
        String path = "/v1/plan?sample=" + percent;
        return calls.send("POST", path, Map.of("Content-Type", "application/yaml"), catalog);
    }

    /** The state or result of a forecast. */
    public JsonNode plan(String id) throws ServiceException, InterruptedException {
        return calls.get("/v1/plan/" + encoded(id));
    }

    private static String pathOf(String index) {
        return INDEXES + "/" + encoded(index);
    }
}
