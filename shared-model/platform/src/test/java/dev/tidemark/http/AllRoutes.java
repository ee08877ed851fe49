package dev.tidemark.http;

import java.util.List;

/** The calls of a service with those that every service has. */
public final class AllRoutes {
    private AllRoutes() {}

    /** Of a service with these calls. */
    public static List<Route> of(ServiceRoutes own) {
        return CommonRoutes.before(own, Security.none(), List::of, () -> "", "/dev/tidemark/http/openapi-of-test.yaml");
    }
}
