package dev.tidemark.deploy.observe;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The expressions of a Grafana dashboard, with its variables replaced by something that Prometheus understands.
 *
 * @param expressions of its panels and annotations, and the selectors of its variables
 * @param leftOver expressions in which a variable was left
 */
record Dashboard(List<String> expressions, List<String> leftOver) {
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+),\\s*\\w+\\)");
    private static final Pattern INTERVAL = Pattern.compile("\\$(__rate_interval|__interval|__range)\\b");
    private static final Pattern VARIABLE = Pattern.compile("\\$(table|index)\\b");

    static Dashboard read(Path file) throws IOException {
        JsonNode root = new ObjectMapper().readTree(file.toFile());
        List<String> expressions = new ArrayList<>();
        root.findValuesAsText("expr").forEach(expression -> expressions.add(replaced(expression)));
        root.path("templating").path("list").forEach(variable -> {
            Matcher matcher = LABEL_VALUES.matcher(variable.path("definition").asText());
            if (matcher.matches()) {
                expressions.add(replaced(matcher.group(1)));
            }
        });
        return new Dashboard(
                List.copyOf(expressions),
                expressions.stream().filter(text -> text.contains("$")).toList());
    }

    private static String replaced(String expression) {
        return VARIABLE.matcher(INTERVAL.matcher(expression).replaceAll("1m")).replaceAll(".*");
    }
}
