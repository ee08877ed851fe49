package dev.tidemark.http;

import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the call that a request is for. Paths with a trailing slash, or with empty segments, are no other way to write
 * a path.
 */
final class RouteTable {
    /** A route, and the segments of its path, of which those in braces are names for any segment. */
    private record Entry(Route route, List<String> segments) {
        /** Whether a path has this shape. */
        boolean matches(List<String> path) {
            boolean fits = path.size() == segments.size();
            for (int i = 0; fits && i < path.size(); i++) {
                fits = fits(segments.get(i), path.get(i));
            }
            return fits;
        }

        /** Dots lead elsewhere for many clients and proxies; a name of dots can be sent percent-encoded. */
        private static boolean fits(String wanted, String found) {
            return isName(wanted)
                    ? !found.isEmpty() && !found.equals(".") && !found.equals("..")
                    : wanted.equals(found);
        }

        private static boolean isName(String segment) {
            return segment.length() > 2 && segment.charAt(0) == '{';
        }

        /** What stands for each name in a path of this shape. */
        Map<String, String> names(List<String> path) {
            Map<String, String> names = new LinkedHashMap<>(4);
            for (int i = 0; i < path.size(); i++) {
                String wanted = segments.get(i);
                if (isName(wanted)) {
                    names.put(wanted.substring(1, wanted.length() - 1), decoded(path.get(i)));
                }
            }
            return names;
        }
    }

    /** What a request is that is passed on: any token will do here, and the other process asks for scopes. */
    static final Route PASSED_ON = Route.of("", "", Permission.TOKEN, call -> {});

    private final List<Entry> entries = new ArrayList<>();
    private final boolean passesOn;
    private final String whatIs;

    /** The call, and what stands in the path for each of its names. */
    record Match(Route route, Map<String, String> names) {}

    /**
     * A table.
     *
     * @param passesOn whether calls that are not among the routes are passed on
     */
    RouteTable(List<Route> routes, boolean passesOn) {
        this.passesOn = passesOn;
        routes.forEach(route -> entries.add(new Entry(route, segments(route.path()))));
        List<String> paths = routes.stream().map(Route::path).distinct().toList();
        this.whatIs = paths.contains(CommonRoutes.DESCRIPTION)
                ? "see " + CommonRoutes.DESCRIPTION + " for what is"
                : "expected one of " + String.join(", ", paths);
    }

    /**
     * The call for a request.
     *
     * @param path as it was sent
     * @throws ProblemException 404 where nothing is at the path, 405 where the method is not possible there, 400 where
     *     the encoding of the path is broken
     */
    Match find(String method, String path) {
        List<String> segments = path.startsWith("/") ? segments(path) : List.of();
        String wanted = method.equals("HEAD") ? "GET" : method;
        for (Entry entry : entries) {
            if (entry.route().method().equals(wanted) && entry.matches(segments)) {
                return new Match(entry.route(), entry.names(segments));
            }
        }
        if (passesOn && path.startsWith(Route.CALLS)) {
            return new Match(PASSED_ON, Map.of());
        }
        Set<String> possible = new TreeSet<>();
        entries.stream()
                .filter(entry -> entry.matches(segments))
                .forEach(entry -> possible.add(entry.route().method()));
        throw new ProblemException(problem(method + " " + path, possible));
    }

    private Problem problem(String request, Set<String> possible) {
        if (possible.isEmpty()) {
            return Problem.notFound("nothing is at " + request + "; " + whatIs);
        }
        if (possible.contains("GET")) {
            possible.add("HEAD");
        }
        return Problem.of(405, "Method not allowed", request + " is not possible; " + whatIs)
                .allowing(String.join(", ", possible));
    }

    /** The segments of a path as it was sent: not decoded, and no other way to write the same path. */
    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>(6);
        int at = 1;
        for (int slash = path.indexOf('/', at); slash >= 0; slash = path.indexOf('/', at)) {
            segments.add(path.substring(at, slash));
            at = slash + 1;
        }
        segments.add(path.substring(Math.min(at, path.length())));
        return segments;
    }

    /** What a segment stands for; 400 when its encoding is broken. */
    static String decoded(String segment) {
        try {
            return PercentText.decoded(segment, false);
        } catch (CharacterCodingException e) {
            throw new ProblemException(
                    Problem.badRequest("expected a path of percent-encoded UTF-8, but got " + segment));
        }
    }
}
