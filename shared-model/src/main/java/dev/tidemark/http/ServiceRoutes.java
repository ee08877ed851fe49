package dev.tidemark.http;

import java.util.List;

import io.javalin.config.RoutesConfig;

/** The calls that are a service's own. */
public interface ServiceRoutes {
    /** Adds the route of every call. */
    void addTo(RoutesConfig routes);

    /** Those of the calls that are answered more directly where a request for them is plain. */
    List<DirectCall> direct();
}
