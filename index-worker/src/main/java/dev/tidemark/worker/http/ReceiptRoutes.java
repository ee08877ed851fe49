package dev.tidemark.worker.http;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.access.Scope;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Access;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;
import dev.tidemark.worker.explain.NoReceiptException;
import dev.tidemark.worker.explain.PendingEstimate;
import dev.tidemark.worker.explain.ReasonText;
import dev.tidemark.worker.explain.Receipt;
import dev.tidemark.worker.explain.ReceiptService;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.explain.RowStatus;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardId;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.text;

/**
 * {@code GET /v1/receipts/{token}}.
 *
 * @param limits what may be asked for
 */
public record ReceiptRoutes(ReceiptService receipts, Supplier<Catalog> catalog, QueryLimits limits, OwnerCalls owners) {
    /** What the owner of a row takes beside the time to wait: it may ask the writer for a second. */
    private static final Duration OF_ROW = Duration.ofSeconds(2);

    /** The same of the owners of partitions, which ask no other service. */
    private static final Duration OF_PARTITIONS = Duration.ofMillis(500);

    private static final String VISIBLE = Kind.VISIBLE.label();
    private static final String PENDING = Kind.PENDING.label();
    private static final String NOT_APPLICABLE = Kind.NOT_APPLICABLE.label();
    private static final String QUARANTINED = Kind.QUARANTINED.label();
    private static final String UNKNOWN = "unknown";

    List<Route> routes() {
        return List.of(Route.get("/v1/receipts/{token}", Permission.TOKEN, this::receipt)
                .reading("wait"));
    }

    private void receipt(Call call)
            throws BadInputException, NoReceiptException, NotAnswerableException, InterruptedException {
        String token = call.pathParam("token");
        SessionToken asked = SessionToken.decode(token);
        Access.require(call, List.of(Scope.facts(asked.table())));
        Duration patience = patience(call);
        if (asked.versions().size() == 1) {
            if (owners.pass(call, shard(asked), true, patience, OF_ROW)) {
                return;
            }
        } else if (asked.versions().keySet().stream()
                .anyMatch(partition -> owners.isElsewhere(new ShardId(asked.table(), partition)))) {
            call.result(RowJson.write(gathered(call, asked, patience)));
            return;
        }
        call.result(RowJson.write(json(token, receipts.ask(asked, patience, call::reserve))));
    }

    private static ShardId shard(SessionToken token) {
        return new ShardId(token.table(), token.versions().keySet().iterator().next());
    }

    /** The receipt of a write of many rows, of which other workers have partitions. */
    private ObjectNode gathered(Call call, SessionToken asked, Duration patience)
            throws BadInputException, NoReceiptException, NotAnswerableException, InterruptedException {
        ObjectNode json = object().put("token", asked.encode()).put("table", asked.table());
        ArrayNode partitions = RowJson.mapper().createArrayNode();
        List<String> statuses = new ArrayList<>();
        Instant end = owners.after(patience);
        for (Map.Entry<Integer, RowVersion> each : new TreeMap<>(asked.versions()).entrySet()) {
            ShardId shard = new ShardId(asked.table(), each.getKey());
            String part = SessionToken.of(asked.table(), each.getKey(), each.getValue())
                    .encode();
            // Where one is not decided, the time to wait is over.
            Duration wait = statuses.stream().allMatch(VISIBLE::equals) ? owners.left(end) : Duration.ZERO;
            ObjectNode receipt = owners.isElsewhere(shard)
                    ? owners.read(
                                    call,
                                    shard,
                                    "/v1/receipts/" + part + "?wait=" + wait.toMillis() + "ms",
                                    wait,
                                    end.plus(OF_PARTITIONS))
                            .orElseGet(() -> unknown(each))
                    : json(part, receipts.ask(SessionToken.decode(part), wait, call::reserve));
            for (JsonNode one : receipt.path("partitions")) {
                partitions.add(one);
                statuses.add(one.path("status").asText());
            }
        }
        List<String> late = receipts.late(asked, owners.left(end));
        boolean visible = statuses.stream().allMatch(VISIBLE::equals);
        json.put("decided", visible && late.isEmpty()).set("partitions", partitions);
        addIndexes(json, catalog.get().table(asked.table()).orElseThrow(), statuses, late);
        return json;
    }

    private static ObjectNode unknown(Map.Entry<Integer, RowVersion> part) {
        ObjectNode json = object();
        ExplainRoutes.addAhead(
                json.putArray("partitions")
                        .addObject()
                        .put("partition", part.getKey())
                        .put("version", part.getValue().toString())
                        .put("quarantined", 0)
                        .put("status", UNKNOWN)
                        .put("reason", "no worker answers for it"),
                PendingEstimate.UNKNOWN);
        return json;
    }

    /** Gives all indexes the status of all partitions together, but for those that do not show all yet. */
    private void addIndexes(ObjectNode json, TableDefinition table, List<String> partitions, List<String> late) {
        boolean visible = partitions.stream().allMatch(VISIBLE::equals);
        String status = visible ? VISIBLE : partitions.contains(UNKNOWN) ? UNKNOWN : PENDING;
        ArrayNode indexes = json.putArray("indexes");
        for (IndexDefinition index : table.indexes()) {
            boolean pending = visible && late.contains(index.name());
            indexes.addObject().put("index", catalog.get().publicName(index)).put("status", pending ? PENDING : status);
        }
    }

    private ObjectNode json(String token, Receipt receipt) {
        ObjectNode json =
                object().put("token", token).put("table", receipt.table().name());
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
        json.put("partition", row.partition()).put("version", row.version().toString());
        json.put("operation", row.deleted() ? "delete" : "upsert");
        json.put("committedAt", text(row.times().map(RowState.Times::committedAt)));
        ArrayNode indexes = json.putArray("indexes");
        for (Receipt.OfIndex one : row.indexes()) {
            ObjectNode shown = indexes.addObject().put("index", catalog.get().publicName(one.index()));
            add(shown.put("status", one.status().kind().label()), one.status(), one.index());
        }
    }

    private static void add(ObjectNode json, RowStatus status, IndexDefinition index) {
        switch (status.kind()) {
            case PENDING -> ExplainRoutes.addAhead(json, status.ahead());
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
        json.put("visibleSince", text(status.since()));
        if (status.now() instanceof RowPosition.LeftOut left) {
            Optional<String> reason = left.absence().map(why -> ReasonText.of(why, index));
            json.put("reason", reason.orElse("the row has no entry; why was not noted when it was applied"));
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
        json.put("by", text(status.held())).put("now", now).put("visibleSince", text(status.since()));
        json.put("reason", "the version written was replaced by " + by + ", " + words);
    }

    private void many(ObjectNode json, Receipt.OfMany many) {
        ArrayNode partitions = json.putArray("partitions");
        List<String> statuses = new ArrayList<>();
        for (Receipt.Share share : many.shares()) {
            String status = share.visible() ? VISIBLE : share.lacking().isPresent() ? UNKNOWN : PENDING;
            statuses.add(status);
            ObjectNode one = partitions.addObject().put("partition", share.partition());
            one.put("version", share.version().toString()).put("quarantined", share.quarantined());
            one.put("status", status);
            if (!share.visible()) {
                ExplainRoutes.addAhead(one, share.ahead());
            }
            share.lacking().ifPresent(reason -> one.put("reason", reason));
        }
        addIndexes(json, many.table(), statuses, many.late());
    }

    private Duration patience(Call call) {
        String text = Requests.parameter(call, "wait").orElse("0s");
        try {
            Duration patience = Durations.parse(text);
            if (patience.compareTo(limits.longestWait()) <= 0) {
                return patience;
            }
        } catch (BadSettingsException e) {
            throw new ProblemException(Problem.badRequest("parameter wait: " + e.getMessage()));
        }
        throw new ProblemException(Problem.badRequest("expected parameter wait to be at most "
                        + limits.longestWait().toSeconds() + "s, but got " + text)
                .typed(ProblemType.WAIT_TOO_LONG));
    }
}
