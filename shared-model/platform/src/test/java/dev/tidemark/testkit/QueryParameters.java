package dev.tidemark.testkit;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.tidemark.http.Route;

/** The query parameters that each call names: by method and path, in the description of a service and in its routes. */
public final class QueryParameters {
    private QueryParameters() {}

    /**
     * Those of the calls whose names the routes know.
     *
     * @param description what is read from the YAML text
     */
    public static Map<String, Set<String>> described(Map<String, Map<String, Object>> description, List<Route> routes) {
        Map<String, Set<String>> described = new TreeMap<>();
        taken(routes).keySet().forEach(call -> described.put(call, new TreeSet<>()));
        map(description.get("paths"))
                .forEach((path, item) -> map(item).forEach((method, call) -> {
                    Set<String> names = described.get(method.toUpperCase(Locale.ROOT) + " " + path);
                    if (names != null && map(call).get("parameters") instanceof List<?> parameters) {
                        parameters.stream()
                                .map(one -> resolved(description, map(one)))
                                .filter(one -> "query".equals(one.get("in")))
                                .forEach(one -> names.add(String.valueOf(one.get("name"))));
                    }
                }));
        return described;
    }

    /** Those that the routes take, without the routes that take any. */
    public static Map<String, Set<String>> taken(List<Route> routes) {
        Map<String, Set<String>> taken = new TreeMap<>();
        for (Route route : routes) {
            route.parameters()
                    .names()
                    .ifPresent(names -> taken.put(route.method() + " " + route.path(), new TreeSet<>(names)));
        }
        return taken;
    }

    private static Map<?, ?> resolved(Map<String, Map<String, Object>> description, Map<String, Object> parameter) {
        if (!(parameter.get("$ref") instanceof String reference)) {
            return parameter;
        }
        String name = reference.substring(reference.lastIndexOf('/') + 1);
        return map(map(map(description.get("components")).get("parameters")).get(name));
    }

    private static Map<String, Object> map(@Nullable Object yaml) {
        Map<String, Object> map = new TreeMap<>();
        if (yaml instanceof Map<?, ?> members) {
            members.forEach((name, value) -> map.put(String.valueOf(name), value));
        }
        return map;
    }
}
