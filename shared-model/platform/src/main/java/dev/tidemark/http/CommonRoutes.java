package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.access.Caller;
import dev.tidemark.row.RowJson;

/**
 * The calls of a service, and before them those that every service has. {@code /health/live}: the process answers.
 * {@code /health/ready}: it can do its work; 503 says what is missing, to those who have shown a token where one is
 * asked for: an orchestrator has none, and the status is enough for it. Both are answered by network threads, so that
 * they are answered while all other threads are busy.
 */
final class CommonRoutes {
    /** Where a service describes its calls. */
    static final String DESCRIPTION = "/openapi.yaml";

    private CommonRoutes() {}

    /**
     * The calls.
     *
     * @param own those of the service
     * @param metrics gives the Prometheus text
     * @param openApi class-path resource with the service's description
     */
    static List<Route> before(
            ServiceRoutes own, Security security, Health health, Supplier<String> metrics, String openApi) {
        byte[] description = resource(openApi);
        List<Route> routes = new ArrayList<>(observed(security, health, metrics));
        routes.add(Route.get(
                DESCRIPTION,
                Permission.NOTHING,
                call -> call.contentType("application/yaml").result(description)));
        routes.addAll(own.routes());
        return routes;
    }

    /** The calls by which a process is watched. */
    static List<Route> observed(Security security, Health health, Supplier<String> metrics) {
        return List.of(
                health("/health/live", List::of),
                health(
                        "/health/ready",
                        () -> Stream.concat(health.readiness().stream(), security.notes().stream())
                                .toList()),
                Route.metrics(metrics));
    }

    private static Route health(String path, Health health) {
        CallHandler handler = call -> answer(call, health.readiness());
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

    private static byte[] resource(String name) {
        try (InputStream in = CommonRoutes.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("Expected a resource " + name + " on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
