package dev.tidemark.worker.http;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.explain.Explanation;
import dev.tidemark.worker.explain.FactLookup;
import dev.tidemark.worker.explain.PendingEstimate;
import dev.tidemark.worker.explain.ReasonText;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.explain.RowSnapshot;
import dev.tidemark.worker.explain.RowStatus;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.store.RowState;

import static dev.tidemark.worker.http.JsonValues.number;
import static dev.tidemark.worker.http.JsonValues.text;

/** Explanations as JSON. */
final class ExplanationJson {
    private ExplanationJson() {}

    static ObjectNode of(String publicName, Explanation explanation) {
        IndexDefinition index = explanation.index().definition();
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("index", publicName);
        json.put("table", index.table());
        json.set("primaryKey", QueryResultJson.key(explanation.index().table(), explanation.key()));
        json.put("shard", explanation.index().table().partitionOf(explanation.key()));
        json.put("outcome", explanation.outcome().kind().label());
        json.put("reason", explanation.sentence());
        RowStatus outcome = explanation.outcome();
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
        json.set("entries", entries(index, keys(explanation)));
        if (outcome.kind() == Kind.NOT_APPLIED) {
            json.set("pending", ahead(outcome.ahead()).put("version", text(outcome.committed())));
        }
        if (!(explanation.asked() instanceof FactLookup.NotAsked)) {
            json.set("factTable", asked(explanation.asked()));
        }
        explanation
                .sight()
                .ifPresent(sight -> json.set("freshness", QueryResultJson.of(Freshness.of(List.of(sight.lag())))));
        return json;
    }

    /** What a change waits for. */
    static ObjectNode ahead(PendingEstimate ahead) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("changesBefore", number(ahead.changesBefore()));
        json.put("etaSeconds", ahead.eta().map(eta -> eta.toMillis() / 1e3).orElse(null));
        return json;
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

    private static ArrayNode entries(IndexDefinition index, List<KeyBytes> keys) {
        ArrayNode entries = RowJson.mapper().createArrayNode();
        for (KeyBytes key : keys) {
            ObjectNode parts = entries.addObject().putObject("key");
            KeyReader reader = new KeyReader(key);
            try {
                for (KeyPart part : index.key()) {
                    parts.set(part.field().toString(), reader.next(part.order()).toJson());
                }
            } catch (MalformedKeyException e) {
                throw new IllegalStateException("Expected an entry key of index " + index.qualifiedName(), e);
            }
        }
        return entries;
    }

    private static ObjectNode asked(FactLookup asked) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        if (asked instanceof FactLookup.NoAnswer none) {
            return json.put("reachable", false).put("detail", none.reason());
        }
        return json.put("reachable", true)
                .put(
                        "version",
                        asked instanceof FactLookup.Found found
                                ? found.row().version().toString()
                                : null);
    }
}
