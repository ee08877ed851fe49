package dev.tidemark.worker.http;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.index.Absence;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.Explanation;
import dev.tidemark.worker.explain.FactLookup;
import dev.tidemark.worker.explain.PendingEstimate;
import dev.tidemark.worker.explain.ReasonText;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.explain.RowSnapshot;
import dev.tidemark.worker.explain.RowStatus;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.store.RowState;

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
        json.put("outcome", label(explanation.outcome()));
        json.put("reason", explanation.sentence());
        absence(explanation.outcome())
                .ifPresent(why -> json.put("field", ReasonText.field(why, index).toString()));
        // A row that is not in the index has no version in this answer, because the index does not hold it.
        Optional<RowState> row = explanation.outcome() instanceof RowStatus.NotInIndex
                ? Optional.empty()
                : explanation.sight().flatMap(RowSnapshot::row);
        json.put("version", row.map(state -> state.version().toString()).orElse(null));
        json.put(
                "committedAt",
                row.flatMap(RowState::times)
                        .map(times -> times.committedAt().toString())
                        .orElse(null));
        json.put(
                "visibleSince",
                row.flatMap(RowState::times)
                        .map(times -> times.appliedAt().toString())
                        .orElse(null));
        json.set("entries", entries(index, keys(explanation)));
        if (explanation.outcome() instanceof RowStatus.NotApplied waiting) {
            json.set(
                    "pending",
                    ahead(waiting.ahead())
                            .put(
                                    "version",
                                    waiting.waiting().map(RowVersion::toString).orElse(null)));
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
        json.put(
                "changesBefore",
                ahead.changesBefore().isPresent()
                        ? Long.valueOf(ahead.changesBefore().getAsLong())
                        : null);
        json.put("etaSeconds", ahead.eta().map(eta -> eta.toMillis() / 1e3).orElse(null));
        return json;
    }

    private static String label(RowStatus outcome) {
        if (outcome instanceof RowStatus.InIndex) {
            return "in_index";
        }
        if (outcome instanceof RowStatus.LeftOut left) {
            return left.absence().map(ExplanationJson::label).orElse("not_applicable");
        }
        if (outcome instanceof RowStatus.NotApplied) {
            return "not_applied";
        }
        if (outcome instanceof RowStatus.Quarantined) {
            return "quarantined";
        }
        if (outcome instanceof RowStatus.Deleted) {
            return "deleted";
        }
        if (outcome instanceof RowStatus.NoSuchRow) {
            return "no_such_row";
        }
        if (outcome instanceof RowStatus.NotKnown) {
            return "not_known";
        }
        if (outcome instanceof RowStatus.NotInIndex) {
            return "not_in_index";
        }
        return outcome instanceof RowStatus.NotHeld ? "not_held" : "inconsistent";
    }

    private static String label(Absence absence) {
        return absence instanceof Absence.Filtered ? "filtered" : "no_value";
    }

    private static Optional<Absence> absence(RowStatus outcome) {
        return outcome instanceof RowStatus.LeftOut left ? left.absence() : Optional.empty();
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
