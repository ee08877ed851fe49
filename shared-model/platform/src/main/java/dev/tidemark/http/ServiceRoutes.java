package dev.tidemark.http;

import java.util.List;
import java.util.Optional;

/** The calls that are a service's own. */
@FunctionalInterface
public interface ServiceRoutes {
    /** All of them. */
    List<Route> routes();

    /** What to answer where a call failed; empty for what every service answers. */
    default Optional<Problem> problem(Throwable failure) {
        return Optional.empty();
    }
}
