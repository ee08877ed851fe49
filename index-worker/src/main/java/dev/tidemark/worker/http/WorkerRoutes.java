package dev.tidemark.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

import dev.tidemark.http.Requests;
import dev.tidemark.row.RowJson;

/** All routes that are the worker's own. */
public final class WorkerRoutes implements Consumer<RoutesConfig> {
    /** Class-path resource with the description of the routes. */
    public static final String OPEN_API = "/dev/tidemark/worker/openapi.yaml";

    private static final String CONSOLE = "/dev/tidemark/worker/console.html";
    private static final int USUAL_QUARANTINE = 100;
    private static final int MOST_QUARANTINE = 10_000;

    private final QueryRoutes queries;
    private final LagJson lag;
    private final QuarantineJson quarantine;
    private final PauseRoutes pauses;
    private final byte[] console = resource();

    public WorkerRoutes(QueryRoutes queries, LagJson lag, QuarantineJson quarantine, PauseRoutes pauses) {
        this.queries = queries;
        this.lag = lag;
        this.quarantine = quarantine;
        this.pauses = pauses;
    }

    @Override
    public void accept(RoutesConfig routes) {
        queries.addTo(routes);
        pauses.addTo(routes);
        routes.get("/v1/indexes", context -> context.result(RowJson.write(lag.indexes())));
        routes.get("/v1/lag", context -> context.result(RowJson.write(lag.lag())));
        routes.get("/v1/quarantine", this::quarantined);
        routes.get(
                "/", context -> context.contentType("text/html; charset=utf-8").result(console));
    }

    private void quarantined(Context context) {
        int limit = Requests.wholeNumber(context, "limit", USUAL_QUARANTINE, 1, MOST_QUARANTINE);
        context.result(RowJson.write(quarantine.list(limit)));
    }

    private static byte[] resource() {
        try (InputStream in = WorkerRoutes.class.getResourceAsStream(CONSOLE)) {
            if (in == null) {
                throw new IllegalStateException("Expected a resource " + CONSOLE + " on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
