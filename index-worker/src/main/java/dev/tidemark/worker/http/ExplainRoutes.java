package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.access.Scope;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Route;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.explain.Explainer;
import dev.tidemark.worker.explain.Explanation;
import dev.tidemark.worker.explain.FactLookup;
import dev.tidemark.worker.explain.PendingEstimate;
import dev.tidemark.worker.explain.ReasonText;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.explain.RowSnapshot;
import dev.tidemark.worker.explain.RowStatus;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.UnknownIndexException;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardId;

import static dev.tidemark.worker.http.JsonValues.number;
import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.text;

/** {@code GET /v1/indexes/{index}/explain}. */
public record ExplainRoutes(IndexNames names, Explainer explainer, OwnerCalls owners) {
    /** The owner asks the writer for at most a second. */
    private static final Duration PASSED_PATIENCE = Duration.ofSeconds(3);

    List<Route> routes() {
        return List.of(Route.get("/v1/indexes/{index}/explain", Permission.READ_INDEX, this::explain)
                .reading("key"));
    }

    private void explain(Call call) throws BadInputException, UnknownIndexException, InterruptedException {
        IndexNames.Found index = names.find(call.pathParam("index"));
        KeyBytes key = RowKeys.parameter(call, "key", index.table());
        boolean readsRows = call.caller().may(Scope.facts(index.table().name()))
                && !"false".equals(call.header(OwnerCalls.READS_ROWS));
        ShardId shard = explainer.shard(index, key, call::reserve);
        if (owners.pass(call, shard, readsRows, Duration.ZERO, PASSED_PATIENCE)) {
            return;
        }
        Explanation explanation =
                readsRows ? explainer.explain(index, key, call::reserve) : explainer.explainFromIndex(index, key);
        ObjectNode json = json(names.publicName(index.definition()), explanation, shard.partition());
        call.result(RowJson.write(json));
    }

    private static ObjectNode json(String publicName, Explanation explanation, int partition) {
        IndexDefinition index = explanation.index().definition();
        TableDefinition table = explanation.index().table();
        RowStatus outcome = explanation.outcome();
        ObjectNode json = object().put("index", publicName).put("table", index.table());
        json.set("primaryKey", QueryResultJson.key(table, explanation.key()));
        json.put("shard", partition);
        json.put("outcome", outcome.kind().label()).put("reason", explanation.sentence());
        boolean named = outcome.kind() == Kind.FILTERED || outcome.kind() == Kind.NO_VALUE;
        if (named && outcome.now() instanceof RowPosition.LeftOut left) {
            json.put("field", text(left.absence().map(why -> ReasonText.field(why, index))));
        }
        // A row that is not in the index has no version in this answer, because the index does not hold it.
        Optional<RowState> row = outcome.kind() == Kind.NOT_IN_INDEX
                ? Optional.empty()
                : explanation.sight().flatMap(RowSnapshot::row);
        Optional<RowState.Times> times = row.flatMap(RowState::times);
        json.put("version", text(row.map(RowState::version)));
        json.put("committedAt", text(times.map(RowState.Times::committedAt)));
        json.put("visibleSince", text(times.map(RowState.Times::appliedAt)));
        ArrayNode entries = json.putArray("entries");
        keys(explanation).forEach(key -> entries.addObject().set("key", key(index, key)));
        if (outcome.kind() == Kind.NOT_APPLIED) {
            addAhead(json.putObject("pending"), outcome.ahead()).put("version", text(outcome.committed()));
        }
        if (!(explanation.asked() instanceof FactLookup.NotAsked)) {
            add(json.putObject("factTable"), explanation.asked());
        }
        explanation
                .sight()
                .ifPresent(sight -> json.set("freshness", QueryResultJson.of(Freshness.of(List.of(sight.lag())))));
        return json;
    }

    /** What a change waits for. */
    static ObjectNode addAhead(ObjectNode json, PendingEstimate ahead) {
        json.put("changesBefore", number(ahead.changesBefore()));
        return json.put(
                "etaSeconds", ahead.eta().map(eta -> eta.toMillis() / 1e3).orElse(null));
    }

    /** Returns the keys of the entries that the index holds now, even where the fact table differs. */
    private static List<KeyBytes> keys(Explanation explanation) {
        return explanation
                .sight()
                .map(sight ->
                        RowPosition.of(sight, explanation.index().generation().id()))
                .map(place -> place instanceof RowPosition.Held held ? held.keys() : List.<KeyBytes>of())
                .orElse(List.of());
    }

    private static ObjectNode key(IndexDefinition index, KeyBytes key) {
        try {
            return JsonValues.fields(index, key);
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected an entry key of index " + index.qualifiedName(), e);
        }
    }

    private static void add(ObjectNode json, FactLookup asked) {
        if (asked instanceof FactLookup.NoAnswer none) {
            json.put("reachable", false).put("detail", none.reason());
        } else {
            String version = asked instanceof FactLookup.Found found
                    ? found.row().version().toString()
                    : null;
            json.put("reachable", true).put("version", version);
        }
    }
}
