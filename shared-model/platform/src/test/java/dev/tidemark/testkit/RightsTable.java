package dev.tidemark.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.tidemark.http.AllRoutes;
import dev.tidemark.http.Permission;
import dev.tidemark.http.ServiceRoutes;

/** The table of calls in {@code docs/security.md}. */
public final class RightsTable {
    private RightsTable() {}

    /** The scope that the table names for each call of a service, such as {@code GET /v1/lag}. */
    public static Map<String, String> of(String service) {
        try {
            return Files.readAllLines(SourceTree.ofProject().root().resolve("docs/security.md")).stream()
                    .map(line ->
                            Arrays.stream(line.split("\\|")).map(String::strip).toList())
                    .filter(cells ->
                            cells.size() == 5 && List.of(service, "both").contains(cells.get(1)))
                    .collect(Collectors.toMap(
                            cells -> cells.get(2).replace("`", ""),
                            cells -> cells.get(3).replace("`", ""),
                            (one, other) -> one + " and " + other,
                            TreeMap::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a service's routes need, in the words of the table. */
    public static Map<String, String> of(ServiceRoutes routes) {
        return AllRoutes.of(routes).stream()
                .collect(Collectors.toMap(
                        route -> route.method() + " " + route.path(),
                        route -> words(route.need()),
                        (one, other) -> one + " and " + other,
                        TreeMap::new));
    }

    /** The same, as the table adds what a call asks for once it knows the table. */
    public static Map<String, String> first(Map<String, String> scopes) {
        Function<Map.Entry<String, String>, String> first =
                scope -> scope.getValue().split(", and ", 2)[0];
        return scopes.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, first, (one, other) -> one, TreeMap::new));
    }

    private static String words(Permission need) {
        return switch (need) {
            case NOTHING -> "none";
            case TOKEN -> "any token";
            case ADMIN -> "admin";
            case METRICS -> "read:metrics";
            case PEER -> "peer";
            case READ_INDEX -> "read:INDEX";
            case READ_ROWS -> "facts:TABLE";
            case WRITE_ROWS -> "write:TABLE";
            case WRITE_SOURCE -> "write:TABLE of each table of the source";
        };
    }
}
