package dev.tidemark.deploy.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * One rule of the Prometheus rule files.
 *
 * @param name the alert, or the series that is recorded
 * @param alert whether it is an alert
 * @param expression in PromQL
 * @param labels its labels
 * @param annotations its annotations; recording rules have none
 */
record Rule(
        String name, boolean alert, String expression, Map<String, String> labels, Map<String, String> annotations) {
    /** Every rule of every file in a directory. */
    static List<Rule> in(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().flatMap(Rule::ofFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Rule> ofFile(Path file) {
        try {
            Map<String, List<Map<String, List<Map<String, Object>>>>> document =
                    new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
            return document.getOrDefault("groups", List.of()).stream()
                    .flatMap(group -> group.getOrDefault("rules", List.of()).stream())
                    .map(Rule::of);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Rule of(Map<String, Object> fields) {
        boolean alert = fields.containsKey("alert");
        return new Rule(
                String.valueOf(fields.get(alert ? "alert" : "record")),
                alert,
                String.valueOf(fields.get("expr")),
                texts(fields.get("labels")),
                texts(fields.get("annotations")));
    }

    private static Map<String, String> texts(@Nullable Object map) {
        return map instanceof Map<?, ?> entries
                ? entries.entrySet().stream()
                        .collect(Collectors.toMap(
                                entry -> String.valueOf(entry.getKey()), entry -> String.valueOf(entry.getValue())))
                : Map.of();
    }
}
