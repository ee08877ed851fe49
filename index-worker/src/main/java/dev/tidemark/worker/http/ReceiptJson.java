package dev.tidemark.worker.http;

import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.explain.ReasonText;
import dev.tidemark.worker.explain.Receipt;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.explain.RowStatus;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.store.RowState;

import static dev.tidemark.worker.http.JsonValues.text;

/** Receipts as JSON. */
record ReceiptJson(Supplier<Catalog> catalog) {
    private static final String VISIBLE = Kind.VISIBLE.label();
    private static final String VISIBLE_SINCE = "visibleSince";
    private static final String PENDING = Kind.PENDING.label();
    private static final String NOT_APPLICABLE = Kind.NOT_APPLICABLE.label();
    private static final String QUARANTINED = Kind.QUARANTINED.label();
    private static final String UNKNOWN = "unknown";

    ObjectNode of(String token, Receipt receipt) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("token", token);
        json.put("table", receipt.table().name());
        json.put("decided", receipt.isDecided());
        if (receipt instanceof Receipt.OfRow row) {
            row(json, row);
        } else if (receipt instanceof Receipt.OfMany many) {
            many(json, many);
        } else {
            throw new AssertionError("unknown kind of receipt: " + receipt);
        }
        return json;
    }

    private void row(ObjectNode json, Receipt.OfRow row) {
        json.set("primaryKey", QueryResultJson.key(row.table(), row.key()));
        json.put("partition", row.partition());
        json.put("version", row.version().toString());
        json.put("operation", row.deleted() ? "delete" : "upsert");
        json.put("committedAt", text(row.times().map(RowState.Times::committedAt)));
        ArrayNode indexes = json.putArray("indexes");
        for (Receipt.OfIndex one : row.indexes()) {
            ObjectNode status = indexes.addObject().put("index", catalog.get().publicName(one.index()));
            add(status.put("status", one.status().kind().label()), one.status(), one.index());
        }
    }

    private static void add(ObjectNode json, RowStatus status, IndexDefinition index) {
        switch (status.kind()) {
            case PENDING -> json.setAll(ExplanationJson.ahead(status.ahead()));
            case SUPERSEDED -> superseded(json, status);
            case INCONSISTENT ->
                json.put(
                        "reason",
                        "the index holds the row in version " + text(status.held())
                                + ", which the writer never gave; the fact table has version "
                                + text(status.committed()) + "; the index should be repaired");
            default -> position(json, status, index);
        }
    }

    private static void position(ObjectNode json, RowStatus status, IndexDefinition index) {
        if (status.now() instanceof RowPosition.Quarantined quarantined) {
            json.put("since", text(quarantined.at())).put("reason", quarantined.reason());
            return;
        }
        json.put(VISIBLE_SINCE, text(status.since()));
        if (status.now() instanceof RowPosition.LeftOut left) {
            json.put(
                    "reason",
                    left.absence()
                            .map(why -> ReasonText.of(why, index))
                            .orElse("the row has no entry; why was not noted when it was applied"));
        }
    }

    private static void superseded(ObjectNode json, RowStatus status) {
        String by = status.held().map(version -> "version " + version).orElse("a delete that is forgotten by now");
        String now = QUARANTINED;
        String words = "a record of which is in quarantine";
        if (status.now() instanceof RowPosition.Held) {
            now = VISIBLE;
            words = "which is visible";
        } else if (status.now() instanceof RowPosition.LeftOut) {
            now = NOT_APPLICABLE;
            words = "which has no entry in this index";
        } else if (status.now() instanceof RowPosition.Deleted) {
            now = "deleted";
            words = "which deleted the row";
        }
        json.put("by", text(status.held())).put("now", now).put(VISIBLE_SINCE, text(status.since()));
        json.put("reason", "the version written was replaced by " + by + ", " + words);
    }

    private void many(ObjectNode json, Receipt.OfMany many) {
        ArrayNode partitions = json.putArray("partitions");
        for (Receipt.Share share : many.shares()) {
            ObjectNode one = partitions.addObject();
            one.put("partition", share.partition());
            one.put("version", share.version().toString());
            one.put("status", share.visible() ? VISIBLE : share.lacking().isPresent() ? UNKNOWN : PENDING);
            if (!share.visible()) {
                one.setAll(ExplanationJson.ahead(share.ahead()));
            }
            one.put("quarantined", share.quarantined());
            share.lacking().ifPresent(reason -> one.put("reason", reason));
        }
        ArrayNode indexes = json.putArray("indexes");
        boolean unknown =
                many.shares().stream().anyMatch(share -> share.lacking().isPresent());
        for (IndexDefinition index : many.table().indexes()) {
            ObjectNode one = indexes.addObject().put("index", catalog.get().publicName(index));
            one.put("status", many.isDecided() ? VISIBLE : unknown ? UNKNOWN : PENDING);
        }
    }
}
