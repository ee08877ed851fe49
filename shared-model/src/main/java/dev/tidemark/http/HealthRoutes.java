package dev.tidemark.http;

import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

import dev.tidemark.access.Caller;
import dev.tidemark.row.RowJson;

/**
 * {@code /health/live}: the process answers. {@code /health/ready}: it can do its work; 503 says what is missing, to those
 * who have shown a token where one is asked for: an orchestrator has none, and the status is enough for it.
 */
final class HealthRoutes {
    private HealthRoutes() {}

    static void addTo(RoutesConfig routes, Health health) {
        routes.get("/health/live", context -> answer(context, List.of()), Need.NOTHING);
        routes.get("/health/ready", context -> answer(context, health.readiness()), Need.NOTHING);
    }

    private static void answer(Context context, List<Health.Check> checks) {
        boolean well = checks.stream().allMatch(check -> check.problem().isEmpty());
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("status", well ? "UP" : "DOWN");
        ArrayNode list = json.putArray("checks");
        for (Health.Check check : checks) {
            ObjectNode one = list.addObject();
            one.put("name", check.name());
            one.put("status", check.problem().isEmpty() ? "UP" : "DOWN");
            if (!Access.caller(context).equals(Caller.ANONYMOUS)) {
                check.problem().or(check::note).ifPresent(detail -> one.put("detail", detail));
            }
        }
        context.status(well ? 200 : 503).result(RowJson.write(json));
    }
}
