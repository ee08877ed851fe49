package dev.tidemark.worker.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.backup.Backups;
import dev.tidemark.http.BackupRoute;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.http.ServiceRoutes;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.shard.Shards;

/** All routes that are the worker's own. */
public record WorkerRoutes(
        QueryRoutes queries,
        LagJson lag,
        QuarantineJson quarantine,
        PauseRoutes pauses,
        ExplainRoutes explanations,
        ReceiptRoutes receipts,
        VerifyRoutes verifications,
        HistoryJson history,
        EventStreams events,
        CatalogRoutes definitions,
        CatalogReadyFilter guard,
        AdviseRoutes advice,
        PlanRoutes plans,
        Shards shards,
        Backups backups)
        implements ServiceRoutes {
    /** Class-path resource with the description of the routes. */
    public static final String OPEN_API = "/dev/tidemark/worker/openapi.yaml";

    private static final int USUAL_QUARANTINE = 100;
    private static final int MOST_QUARANTINE = 10_000;

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>(definitions.routes());
        routes.addAll(queries.routes());
        routes.addAll(pauses.routes());
        routes.addAll(explanations.routes());
        routes.addAll(receipts.routes());
        routes.addAll(verifications.routes());
        routes.addAll(advice.routes());
        routes.addAll(plans.routes());
        routes.add(Route.get("/v1/indexes", Permission.TOKEN, call -> large(call, lag.answerBytes(), lag::indexes)));
        routes.add(Route.get("/v1/lag", Permission.TOKEN, call -> large(call, lag.answerBytes(), lag::lag)));
        routes.add(Route.get("/v1/quarantine", Permission.ADMIN, this::quarantined));
        routes.add(Route.get(
                "/v1/history", Permission.TOKEN, call -> large(call, history.answerBytes(), history::history)));
        routes.add(Route.get("/v1/events", Permission.TOKEN, events::open));
        routes.add(Route.post(BackupRoute.PATH, Permission.ADMIN, new BackupRoute(backups)::make));
        routes.addAll(ConsoleRoutes.routes());
        return routes.stream().map(guard::guard).toList();
    }

    @Override
    public Optional<Problem> problem(Throwable failure) {
        return new DamageMapping(shards).problem(failure);
    }

    private static void large(Call call, long bytes, Supplier<ObjectNode> answer) {
        call.reserveAnswer(bytes);
        call.result(RowJson.write(answer.get()));
    }

    private void quarantined(Call call) {
        int limit = Requests.limit(call, USUAL_QUARANTINE, MOST_QUARANTINE);
        quarantine.list(
                limit,
                Requests.parameter(call, "cursor").map(QuarantineCursor::parse),
                list -> call.result(RowJson.write(RowRedactor.of(call).inQuarantine(list))));
    }
}
