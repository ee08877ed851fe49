package dev.tidemark.http;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.access.Caller;
import dev.tidemark.row.RowJson;

/**
 * {@code /health/live}: the process answers. {@code /health/ready}: it can do its work; 503 says what is missing, to
 * those who have shown a token where one is asked for: an orchestrator has none, and the status is enough for it. Both
 * are answered by network threads, so that they are answered while all other threads are busy.
 */
final class HealthRoutes {
    private HealthRoutes() {}

    static List<Route> of(Health health) {
        return List.of(
                direct("/health/live", call -> answer(call, List.of())),
                direct("/health/ready", call -> answer(call, health.readiness())));
    }

    private static Route direct(String path, CallHandler handler) {
        return Route.get(path, Permission.NOTHING, handler).directly(call -> {
            handler.handle(call);
            return Optional.of(CompletableFuture.completedFuture(call));
        });
    }

    private static void answer(Call call, List<Health.Check> checks) {
        boolean well = checks.stream().allMatch(check -> check.problem().isEmpty());
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("status", well ? "UP" : "DOWN");
        ArrayNode list = json.putArray("checks");
        for (Health.Check check : checks) {
            ObjectNode one = list.addObject();
            one.put("name", check.name());
            one.put("status", check.problem().isEmpty() ? "UP" : "DOWN");
            if (!call.caller().equals(Caller.ANONYMOUS)) {
                check.problem().or(check::note).ifPresent(detail -> one.put("detail", detail));
            }
        }
        call.status(well ? 200 : 503).result(RowJson.write(json));
    }
}
