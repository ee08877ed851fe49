package dev.tidemark.deploy.e2e.meters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of Prometheus text.
 *
 * @param samples in the order of the page
 * @param help by metric name
 * @param types by metric name
 */
public record MetricsPage(List<Sample> samples, Map<String, String> help, Map<String, String> types) {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)(?: \\d+)?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** One value. */
    public record Sample(String name, Map<String, String> labels, double value) {
        public Sample {
            labels = Map.copyOf(new TreeMap<>(labels));
        }
    }

    public MetricsPage {
        samples = List.copyOf(samples);
        help = Map.copyOf(help);
        types = Map.copyOf(types);
    }

    public static MetricsPage parse(String text) {
        List<Sample> samples = new ArrayList<>();
        Map<String, String> help = new HashMap<>();
        Map<String, String> types = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                help.put(words[2], words.length > 3 ? words[3].trim() : "");
            } else if (line.startsWith("# TYPE ")) {
                types.put(words[2], words[3].trim());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                samples.add(sample(line));
            }
        }
        return new MetricsPage(samples, help, types);
    }

    /** The values of that name which have at least those labels, given in pairs. */
    public List<Double> values(String name, String... labels) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name) && has(sample, labels))
                .map(Sample::value)
                .toList();
    }

    /** The largest of {@link #values}; empty where there is none, or one of them is not a number. */
    public OptionalDouble largest(String name, String... labels) {
        List<Double> values = values(name, labels);
        return values.stream().anyMatch(value -> value.isNaN())
                ? OptionalDouble.empty()
                : values.stream().mapToDouble(Double::doubleValue).max();
    }

    /** The sum of {@link #values}; 0 where there is none. */
    public double sum(String name, String... labels) {
        return values(name, labels).stream().mapToDouble(Double::doubleValue).sum();
    }

    private static boolean has(Sample sample, String... labels) {
        for (int i = 0; i < labels.length; i += 2) {
            if (!labels[i + 1].equals(sample.labels().get(labels[i]))) {
                return false;
            }
        }
        return true;
    }

    private static Sample sample(String line) {
        Matcher parts = SAMPLE.matcher(line);
        if (!parts.matches()) {
            throw new AssertionError("expected a line of Prometheus text, but got " + line);
        }
        Map<String, String> labels = new HashMap<>();
        if (parts.group(2) != null) {
            Matcher label = LABEL.matcher(parts.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
        }
        return new Sample(parts.group(1), labels, number(parts.group(3)));
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }
}
