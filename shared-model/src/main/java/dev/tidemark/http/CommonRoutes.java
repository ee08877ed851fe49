package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The calls of a service, and before them those that every service has. */
final class CommonRoutes implements ServiceRoutes {
    private final ServiceRoutes own;
    private final List<Route> routes;

    /**
     * The calls.
     *
     * @param metrics gives the Prometheus text
     * @param openApi class-path resource with the service's description
     */
    CommonRoutes(ServiceRoutes own, Security security, Health health, Supplier<String> metrics, String openApi) {
        this.own = own;
        byte[] description = resource(openApi);
        this.routes = new ArrayList<>(
                HealthRoutes.of(() -> Stream.concat(health.readiness().stream(), security.notes().stream())
                        .toList()));
        routes.add(Route.metrics(metrics));
        routes.add(Route.get(
                "/openapi.yaml",
                Permission.NOTHING,
                call -> call.contentType("application/yaml").result(description)));
        routes.addAll(own.routes());
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public Optional<Problem> problem(Throwable failure) {
        return own.problem(failure);
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
