package dev.tidemark.deploy.probe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds samples in Prometheus text. */
public final class MetricText {
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private MetricText() {}

    /**
     * One sample.
     *
     * @param labels as written
     * @param value empty for NaN, which means unknown
     */
    public record Sample(Map<String, String> labels, OptionalDouble value) {}

    /** The samples of a metric that have those labels, and perhaps others. */
    public static List<Sample> samples(String text, String metric, Map<String, String> labels) {
        List<Sample> samples = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            boolean bare = line.startsWith(metric + " ");
            int end = bare ? metric.length() : line.lastIndexOf('}');
            if (end < 0 || !(bare || line.startsWith(metric + "{"))) {
                continue;
            }
            Map<String, String> found = new HashMap<>();
            Matcher matcher = LABEL.matcher(line.substring(0, end));
            while (matcher.find()) {
                found.put(matcher.group(1), matcher.group(2));
            }
            if (found.entrySet().containsAll(labels.entrySet())) {
                samples.add(new Sample(found, number(line.substring(end + 1).strip())));
            }
        }
        return samples;
    }

    private static OptionalDouble number(String text) {
        double value = Double.parseDouble(text.split(" ", -1)[0].replaceFirst("Inf$", "Infinity"));
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
