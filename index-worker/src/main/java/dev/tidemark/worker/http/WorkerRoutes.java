package dev.tidemark.worker.http;

import java.util.List;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

import dev.tidemark.backup.Backups;
import dev.tidemark.http.BackupRoute;
import dev.tidemark.http.DirectCall;
import dev.tidemark.http.Need;
import dev.tidemark.http.Requests;
import dev.tidemark.http.ServiceRoutes;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.lifecycle.Shards;

/** All routes that are the worker's own. */
public final class WorkerRoutes implements ServiceRoutes {
    /** Class-path resource with the description of the routes. */
    public static final String OPEN_API = "/dev/tidemark/worker/openapi.yaml";

    private static final int USUAL_QUARANTINE = 100;
    private static final int MOST_QUARANTINE = 10_000;

    private final QueryRoutes queries;
    private final LagJson lag;
    private final QuarantineJson quarantine;
    private final PauseRoutes pauses;
    private final ExplainRoutes explanations;
    private final ReceiptRoutes receipts;
    private final VerifyRoutes verifications;
    private final HistoryJson history;
    private final EventStreams events;
    private final DefineRoutes definitions;
    private final UntilDefined guard;
    private final AdviseRoutes advice;
    private final PlanRoutes plans;
    private final DamageMapping damages;
    private final BackupRoute backups;

    public WorkerRoutes(
            QueryRoutes queries,
            LagJson lag,
            QuarantineJson quarantine,
            PauseRoutes pauses,
            ExplainRoutes explanations,
            ReceiptRoutes receipts,
            VerifyRoutes verifications,
            HistoryJson history,
            EventStreams events,
            DefineRoutes definitions,
            UntilDefined guard,
            AdviseRoutes advice,
            PlanRoutes plans,
            Shards shards,
            Backups backups) {
        this.queries = queries;
        this.lag = lag;
        this.quarantine = quarantine;
        this.pauses = pauses;
        this.explanations = explanations;
        this.receipts = receipts;
        this.verifications = verifications;
        this.history = history;
        this.events = events;
        this.definitions = definitions;
        this.guard = guard;
        this.advice = advice;
        this.plans = plans;
        this.damages = new DamageMapping(shards);
        this.backups = new BackupRoute(backups);
    }

    @Override
    public void addTo(RoutesConfig routes) {
        guard.addTo(routes);
        damages.addTo(routes);
        definitions.addTo(routes);
        queries.addTo(routes);
        pauses.addTo(routes);
        explanations.addTo(routes);
        receipts.addTo(routes);
        verifications.addTo(routes);
        advice.addTo(routes);
        plans.addTo(routes);
        routes.get("/v1/indexes", context -> context.result(RowJson.write(lag.indexes())), Need.TOKEN);
        routes.get("/v1/lag", context -> context.result(RowJson.write(lag.lag())), Need.TOKEN);
        routes.get("/v1/quarantine", this::quarantined, Need.ADMIN);
        routes.get("/v1/history", context -> context.result(RowJson.write(history.history())), Need.TOKEN);
        routes.get("/v1/events", events::open, Need.TOKEN);
        routes.post(BackupRoute.PATH, backups::make, Need.ADMIN);
        ConsoleRoutes.addTo(routes);
    }

    @Override
    public List<DirectCall> direct() {
        return List.of(queries.direct());
    }

    private void quarantined(Context context) {
        int limit = Requests.limit(context, USUAL_QUARANTINE, MOST_QUARANTINE);
        context.result(RowJson.write(quarantine.list(limit)));
    }
}
