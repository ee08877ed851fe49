package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.backup.Backups;
import dev.tidemark.http.BackupRoute;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.http.ServiceRoutes;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardDamagedException;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * All routes that are the worker's own.
 *
 * @param known whether the definitions have been read; until then every request about a table or an index is
 *     answered with 503 rather than with 404
 */
public record WorkerRoutes(
        QueryRoutes queries,
        PeerRoutes peers,
        CopyRoutes copies,
        LagJson lag,
        GroupLag groupLag,
        GroupIndexes indexes,
        TablePauses pauses,
        GroupQuarantine quarantine,
        ExplainRoutes explanations,
        ReceiptRoutes receipts,
        VerifyRoutes verifications,
        EventStreams events,
        CatalogRoutes definitions,
        AdviseRoutes advice,
        PlanRoutes plans,
        BooleanSupplier known,
        Shards shards,
        Backups backups)
        implements ServiceRoutes {
    /** Class-path resource with the description of the routes. */
    public static final String OPEN_API = "/dev/tidemark/worker/openapi.yaml";

    /** Calls about tables and indexes, none of which can be found before the definitions are known. */
    private static final List<String> DEFINED =
            List.of("/v1/indexes/", "/v1/peer/", "/v1/plan", "/v1/receipts/", "/v1/tables/", "/v1/verify");

    private static final int USUAL_QUARANTINE = 100;
    private static final Duration RETRY_SOON = Duration.ofSeconds(1);
    private static final Duration RETRY_LATER = Duration.ofSeconds(5);

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>(definitions.routes());
        routes.addAll(queries.routes());
        routes.addAll(peers.routes());
        routes.addAll(copies.routes());
        routes.addAll(explanations.routes());
        routes.addAll(receipts.routes());
        routes.addAll(verifications.routes());
        routes.addAll(advice.routes());
        routes.addAll(plans.routes());
        routes.add(
                Route.get("/v1/indexes", Permission.TOKEN, call -> large(call, lag.answerBytes(), indexes::indexes)));
        routes.add(Route.get("/v1/lag", Permission.TOKEN, call -> large(call, lag.answerBytes(), groupLag::lag)));
        routes.add(
                Route.get("/v1/quarantine", Permission.ADMIN, this::quarantined).reading("limit", "cursor"));
        routes.add(Route.get("/v1/history", Permission.TOKEN, call -> large(call, lag.historyBytes(), lag::history)));
        routes.add(Route.get("/v1/events", Permission.TOKEN, events::open).reading("interval"));
        routes.addAll(pauses.routes());
        routes.add(Route.post(BackupRoute.PATH, Permission.ADMIN, new BackupRoute(backups)::make)
                .reading(BackupRoute.NAME));
        routes.addAll(ConsoleRoutes.routes());
        return routes.stream().map(this::guarded).toList();
    }

    /** Maps what the worker throws to a problem. A damaged shard is rebuilt. */
    @Override
    public Optional<Problem> problem(Throwable failure) {
        if (!(failure instanceof ShardDamagedException damage)) {
            return Refusals.of(failure);
        }
        damage.shard().ifPresent(id -> shards.rebuild(id, String.valueOf(damage.getMessage())));
        String where = damage.shard()
                .map(id -> "partition " + id.partition() + " of table " + id.table())
                .orElse("a partition");
        String detail = "what this worker has on disk of " + where + " is damaged; it is built again from its topic";
        return Optional.of(
                Problem.retryable(503, "Shard damaged", detail, RETRY_LATER).with(object().put("state", "restoring")));
    }

    private Route guarded(Route route) {
        return DEFINED.stream().noneMatch(route.path()::startsWith)
                ? route
                : route.with(call -> {
                    if (!known.getAsBoolean()) {
                        throw new ProblemException(Problem.retryable(
                                503,
                                "Definitions not known",
                                "it is not known yet which indexes there are; the writer publishes that",
                                RETRY_SOON));
                    }
                    route.handler().handle(call);
                });
    }

    /** Answers with what takes a number of bytes while it is built, about. */
    static void large(Call call, long bytes, Supplier<ObjectNode> answer) {
        call.reserveAnswer(bytes);
        call.result(RowJson.write(answer.get()));
    }

    private void quarantined(Call call) {
        int limit = Requests.limit(call, USUAL_QUARANTINE, QuarantineJson.MOST_RECORDS);
        quarantine.list(
                limit,
                Requests.parameter(call, "cursor").map(QuarantineJson.Cursor::parse),
                list -> call.result(RowJson.write(RowRedactor.of(call).inQuarantine(list))));
    }
}
