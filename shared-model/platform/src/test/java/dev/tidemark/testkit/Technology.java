package dev.tidemark.testkit;

import java.util.List;

/** The technologies that have adapters, each in packages of its name. */
final class Technology {
    private static final List<String> NAMES =
            List.of("rocks", "postgres", "mariadb", "kafka", "debezium", "http", "metrics");

    private Technology() {}

    static List<String> names() {
        return NAMES;
    }

    static String packageOf(String technology) {
        return ".." + technology + "..";
    }

    static String[] adapterPackages() {
        return NAMES.stream().map(Technology::packageOf).toArray(String[]::new);
    }
}
