package dev.tidemark.http;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One call of a service.
 *
 * @param method of its requests; a call for GET answers HEAD as well
 * @param path its path, in which {@code {name}} stands for any one segment
 * @param need what it needs of its caller
 * @param parameters the query parameters that it takes
 * @param body what it takes as a body
 * @param handler what it does
 * @param direct what it does on the network thread first, where it can
 * @param load takes the body in pieces, in place of the handler
 */
public record Route(
        String method,
        String path,
        Permission need,
        ParameterRule parameters,
        BodyRule body,
        CallHandler handler,
        Optional<DirectWork> direct,
        Optional<StreamedBody.Begin> load) {

    /** Where the calls are that take only the parameters that they name. Pages and health take any. */
    static final String CALLS = "/v1/";

    /** A call that reads neither parameters nor a body. */
    public static Route of(String method, String path, Permission need, CallHandler handler) {
        return new Route(
                method, path, need, unnamed(path), BodyRule.UNUSED, handler, Optional.empty(), Optional.empty());
    }

    private static ParameterRule unnamed(String path) {
        return path.startsWith(CALLS) ? ParameterRule.NONE : ParameterRule.ANY;
    }

    public static Route get(String path, Permission need, CallHandler handler) {
        return of("GET", path, need, handler);
    }

    public static Route put(String path, Permission need, CallHandler handler) {
        return of("PUT", path, need, handler);
    }

    public static Route post(String path, Permission need, CallHandler handler) {
        return of("POST", path, need, handler);
    }

    public static Route patch(String path, Permission need, CallHandler handler) {
        return of("PATCH", path, need, handler);
    }

    public static Route delete(String path, Permission need, CallHandler handler) {
        return of("DELETE", path, need, handler);
    }

    /** A call that takes a body without a bound. */
    public static Route load(String path, Permission need, StreamedBody.Begin load) {
        return new Route(
                "POST", path, need, unnamed(path), BodyRule.UNUSED, call -> {}, Optional.empty(), Optional.of(load));
    }

    /** {@code GET /metrics}, answered with Prometheus text. */
    public static Route metrics(Supplier<String> text) {
        return get(
                "/metrics",
                Permission.METRICS,
                call -> call.contentType("text/plain; version=0.0.4; charset=utf-8")
                        .result(text.get()));
    }

    /** The same, with query parameters of these names. */
    public Route reading(String... names) {
        return new Route(method, path, need, ParameterRule.of(names), body, handler, direct, load);
    }

    /** The same, with any query parameters: the call looks at their names itself. */
    public Route readingAny() {
        return new Route(method, path, need, ParameterRule.ANY, body, handler, direct, load);
    }

    /** The same, with a body. */
    public Route taking(BodyRule rule) {
        return new Route(method, path, need, parameters, rule, handler, direct, load);
    }

    /** The same, answered on the network thread where possible. */
    public Route directly(DirectWork work) {
        return new Route(method, path, need, parameters, body, handler, Optional.of(work), load);
    }

    /** The same, doing something else. */
    public Route with(CallHandler other) {
        return new Route(method, path, need, parameters, body, other, direct, load);
    }
}
