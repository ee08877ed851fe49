package dev.tidemark.worker.http;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.ReasonText;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.receipt.IndexStatus;
import dev.tidemark.worker.receipt.Receipt;
import dev.tidemark.worker.store.RowState;

/** Receipts as JSON. */
final class ReceiptJson {
    private static final String VISIBLE = "visible";
    private static final String PENDING = "pending";
    private static final String NOT_APPLICABLE = "not_applicable";
    private static final String QUARANTINED = "quarantined";
    private static final String UNKNOWN = "unknown";

    private final Supplier<Catalog> catalog;

    ReceiptJson(Supplier<Catalog> catalog) {
        this.catalog = catalog;
    }

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
        json.put(
                "committedAt",
                row.times()
                        .map(RowState.Times::committedAt)
                        .map(Instant::toString)
                        .orElse(null));
        ArrayNode indexes = json.putArray("indexes");
        for (Receipt.OfIndex one : row.indexes()) {
            verdict(
                    indexes.addObject().put("index", catalog.get().publicName(one.index())),
                    one.verdict(),
                    one.index());
        }
    }

    private static void verdict(ObjectNode json, IndexStatus verdict, IndexDefinition index) {
        if (verdict instanceof IndexStatus.Visible visible) {
            since(json.put("status", VISIBLE), visible.since());
        } else if (verdict instanceof IndexStatus.Pending pending) {
            json.put("status", PENDING).setAll(ExplanationJson.ahead(pending.ahead()));
        } else if (verdict instanceof IndexStatus.NotApplicable none) {
            since(json.put("status", NOT_APPLICABLE), none.since());
            json.put(
                    "reason",
                    none.absence()
                            .map(why -> ReasonText.of(why, index))
                            .orElse("the row has no entry; why was not noted when it was applied"));
        } else if (verdict instanceof IndexStatus.Quarantined quarantined) {
            since(json.put("status", QUARANTINED), quarantined.at(), "since");
            json.put("reason", quarantined.reason());
        } else if (verdict instanceof IndexStatus.Inconsistent broken) {
            json.put("status", "inconsistent");
            json.put(
                    "reason",
                    "the index holds the row in version " + broken.foreign()
                            + ", which the writer never gave; the fact table has version " + broken.committed()
                            + "; the index should be repaired");
        } else if (verdict instanceof IndexStatus.Superseded superseded) {
            superseded(json.put("status", "superseded"), superseded);
        } else {
            throw new AssertionError("unknown kind of verdict: " + verdict);
        }
    }

    private static void superseded(ObjectNode json, IndexStatus.Superseded superseded) {
        json.put("by", superseded.by().map(RowVersion::toString).orElse(null));
        json.put("now", label(superseded.now()));
        since(json, superseded.since());
        String by = superseded.by().map(version -> "version " + version).orElse("a delete that is forgotten by now");
        json.put("reason", "the version written was replaced by " + by + ", " + words(superseded.now()));
    }

    private static String words(RowPosition place) {
        if (place instanceof RowPosition.Held) {
            return "which is visible";
        }
        if (place instanceof RowPosition.LeftOut) {
            return "which has no entry in this index";
        }
        return place instanceof RowPosition.Deleted ? "which deleted the row" : "a record of which is in quarantine";
    }

    private static String label(RowPosition place) {
        if (place instanceof RowPosition.Held) {
            return VISIBLE;
        }
        if (place instanceof RowPosition.LeftOut) {
            return NOT_APPLICABLE;
        }
        return place instanceof RowPosition.Deleted ? "deleted" : QUARANTINED;
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

    private static void since(ObjectNode json, Optional<Instant> since) {
        since(json, since, "visibleSince");
    }

    private static void since(ObjectNode json, Optional<Instant> since, String name) {
        json.put(name, since.map(Instant::toString).orElse(null));
    }
}
