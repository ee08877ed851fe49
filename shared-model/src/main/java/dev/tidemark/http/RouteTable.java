package dev.tidemark.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the call that a request is for. Paths with a trailing slash, or with empty segments, are no other way to write
 * a path.
 */
final class RouteTable {
    /** A route with its path taken apart. */
    private record Entry(Route route, PathTemplate path) {}

    private final List<Entry> entries = new ArrayList<>();

    /** The call, and what stands in the path for each of its names. */
    record Match(Route route, Map<String, String> names) {}

    RouteTable(List<Route> routes) {
        routes.forEach(route -> entries.add(new Entry(route, PathTemplate.of(route.path()))));
    }

    /**
     * The call for a request.
     *
     * @param path as it was sent
     * @throws ProblemException 404 where nothing is at the path, 405 where the method is not possible there
     */
    Match find(String method, String path) {
        List<String> segments = path.startsWith("/") ? PathTemplate.segments(path) : List.of();
        String wanted = method.equals("HEAD") ? "GET" : method;
        for (Entry entry : entries) {
            if (entry.route().method().equals(wanted) && entry.path().matches(segments)) {
                return new Match(entry.route(), entry.path().names(segments));
            }
        }
        Set<String> possible = new TreeSet<>();
        entries.stream()
                .filter(entry -> entry.path().matches(segments))
                .forEach(entry -> possible.add(entry.route().method()));
        throw new ProblemException(problem(method + " " + path, possible));
    }

    private static Problem problem(String request, Set<String> possible) {
        if (possible.isEmpty()) {
            return Problem.notFound("nothing is at " + request + "; see /openapi.yaml for what is");
        }
        if (possible.contains("GET")) {
            possible.add("HEAD");
        }
        return Problem.of(405, "Method not allowed", request + " is not possible; see /openapi.yaml for what is")
                .allowing(String.join(", ", possible));
    }
}
