package dev.tidemark.deploy.cli;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.catalog.OperationRefusedException;
import dev.tidemark.deploy.client.NothingAnswersException;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.UnavailableException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** Definitions in memory, changed as the writer changes them, and indexes that are as the test says. */
final class CannedDefinitions {
    private static final String INDEXES = "/v1/indexes";

    /** The worker does not answer. */
    static final String AWAY = "";

    static final String BUSY = "busy";
    static final String REFUSED = "refused";

    private final List<String> asked;

    /** What the worker tells of its indexes, one answer after the other; the last one stays. */
    final Deque<String> lifecycleStates = new ArrayDeque<>(List.of("{\"indexes\":[]}"));

    private Definitions current;
    private boolean moved;
    private boolean losing;
    private boolean leaving;

    CannedDefinitions(List<String> asked) {
        this.asked = asked;
        this.current = Definitions.first(catalog("by_town: {key: [town]}, by_name: {key: [name]}"), Instant.EPOCH);
    }

    static String file(String indexes) {
        return "tables: {people: {primaryKey: id, indexes: {" + indexes + "}}}";
    }

    Definitions current() {
        return current;
    }

    /** An operator pauses the build of an index of people. */
    void pause(String index) throws OperationRefusedException {
        current = current.with(new IndexOperation(IndexOperation.Kind.PAUSE, "people", index), Instant.EPOCH);
    }

    /** Somebody else changes something before the next change comes. */
    void moveBeforeTheNextChange() {
        moved = true;
    }

    /**
     * The next change is made, and its answer is lost.
     *
     * @param away whether the writer does not answer afterwards
     */
    void loseTheNextAnswer(boolean away) {
        losing = true;
        leaving = away;
    }

    /** Answers requests for definitions and indexes; empty for others. */
    Optional<JsonNode> answer(String method, String path, Map<String, String> headers, String body)
            throws ServiceException {
        String name = path.replace(INDEXES + "/", "");
        return switch (method + " " + path.replaceFirst(INDEXES + "/[^/]+", INDEXES + "/{index}")) {
            case "GET /v1/catalog" -> Optional.of(inForce());
            case "PUT /v1/catalog" -> Optional.of(put(body, version(headers)));
            case "POST /v1/catalog/orders" -> Optional.of(order(parsed(body), version(headers)));
            case "GET /v1/indexes" -> Optional.of(list());
            case "GET /v1/indexes/{index}" -> Optional.of(show(name));
            default -> Optional.empty();
        };
    }

    private JsonNode inForce() throws ServiceException {
        if (leaving && !losing) {
            throw new ServiceException("nothing answers");
        }
        return DefinitionsJson.json(current);
    }

    private static long version(Map<String, String> headers) {
        return Long.parseLong(Objects.requireNonNull(headers.get("If-Match")).replace("\"", ""));
    }

    private JsonNode put(String catalog, long version) throws ServiceException {
        asked.add("put from " + version);
        if (moved) {
            current = new Definitions(version + 1, current.at(), current.tables(), current.nextGeneration());
            throw new ServiceException("the writer answered 412: another client did create people.by_age");
        }
        try {
            JsonNode answer = answer(current.changed(CatalogReader.read("put", catalog), Instant.EPOCH));
            if (losing) {
                losing = false;
                throw new ServiceException("the writer broke off; what was requested may have been done");
            }
            return answer;
        } catch (CatalogException e) {
            throw new ServiceException(e.getMessage());
        }
    }

    private JsonNode order(JsonNode json, long version) throws ServiceException {
        String order = json.path("order").asText();
        String table = json.path("table").asText();
        String index = json.path("index").asText();
        asked.add(order + " " + table + "." + index + " from " + version);
        try {
            IndexOperation.Kind kind = IndexOperation.Kind.valueOf(order.toUpperCase(Locale.ROOT));
            return answer(current.with(new IndexOperation(kind, table, index), Instant.EPOCH));
        } catch (OperationRefusedException e) {
            throw new ServiceException(e.getMessage());
        }
    }

    private JsonNode list() throws ServiceException {
        String lifecycleState = lifecycleStates.size() > 1 ? lifecycleStates.pop() : lifecycleStates.getFirst();
        if (lifecycleState.equals(AWAY)) {
            throw new NothingAnswersException("nothing answers at the worker");
        } else if (lifecycleState.equals(BUSY)) {
            throw new UnavailableException("the worker answered 503: no memory");
        } else if (lifecycleState.equals(REFUSED)) {
            throw new ServiceException("the worker answered 403: no scope");
        }
        return parsed(lifecycleState.replace('\'', '"'));
    }

    private JsonNode show(String index) throws ServiceException {
        for (JsonNode one : list().path("indexes")) {
            if (one.path("index").asText().equals(index)) {
                return one;
            }
        }
        throw new ServiceException("the worker answered 404: no " + index);
    }

    private static JsonNode parsed(String json) throws ServiceException {
        try {
            return RowJson.parse(json.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            throw new ServiceException(e.getMessage());
        }
    }

    private JsonNode answer(Definitions next) {
        ObjectNode json = RowJson.mapper().createObjectNode().put("version", next.version());
        for (IndexChange change : current.diff(next.catalog())) {
            json.withArray("changes")
                    .addObject()
                    .put("action", change.action())
                    .put("table", change.index().table())
                    .put("index", change.index().name())
                    .put(
                            "generation",
                            next.index(change.index().table(), change.index().name())
                                    .map(plan -> plan.current().id())
                                    .orElse(0L));
        }
        current = next;
        return json;
    }

    private static Catalog catalog(String indexes) {
        try {
            return CatalogReader.read("canned", file(indexes));
        } catch (CatalogException e) {
            throw new AssertionError(e);
        }
    }
}
