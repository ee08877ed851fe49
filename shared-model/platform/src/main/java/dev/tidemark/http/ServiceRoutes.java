package dev.tidemark.http;

import java.util.List;
import java.util.Optional;

/** The calls that are a service's own. */
@FunctionalInterface
public interface ServiceRoutes {
    /** All of them. */
    List<Route> routes();

    /** Takes the calls that are none of these; empty where they are answered 404 or 405. */
    default Optional<Forwarder> forwarder() {
        return Optional.empty();
    }

    /** What to answer where a call failed; empty for what every service answers. */
    default Optional<Problem> problem(Throwable failure) {
        return Optional.empty();
    }
}
