package dev.tidemark.deploy.bench;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the worker's metrics page says of the way of changes; there is one table with one index. */
record MetricsPage(Latencies visibility, Map<String, StageTotal> stages) {
    private static final Pattern BUCKET =
            Pattern.compile("(?m)^tidemark_visibility_seconds_bucket\\{[^}]*le=\"([^\"]+)\"[^}]*} (\\S+)");
    private static final Pattern STAGE =
            Pattern.compile("(?m)^tidemark_stage_seconds_(count|sum)\\{[^}]*stage=\"([^\"]+)\"[^}]*} (\\S+)");

    /** All changes that went through a stage, and the time they took together. */
    record StageTotal(double count, double seconds) {
        StageTotal plus(StageTotal other) {
            return new StageTotal(count + other.count, seconds + other.seconds);
        }
    }

    static MetricsPage parse(String text) {
        Map<Double, Long> upTo = new HashMap<>();
        Matcher buckets = BUCKET.matcher(text);
        while (buckets.find()) {
            String bound = buckets.group(1);
            upTo.put(bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound), (long)
                    Double.parseDouble(buckets.group(2)));
        }
        Map<String, StageTotal> stages = new TreeMap<>();
        Matcher totals = STAGE.matcher(text);
        while (totals.find()) {
            double value = Double.parseDouble(totals.group(3));
            StageTotal one = totals.group(1).equals("count") ? new StageTotal(value, 0) : new StageTotal(0, value);
            stages.merge(totals.group(2), one, StageTotal::plus);
        }
        return new MetricsPage(Latencies.cumulative(upTo), stages);
    }

    /** Mean seconds in each stage of the changes since an earlier page. */
    Map<String, Double> stageMeansSince(MetricsPage earlier) {
        Map<String, Double> means = new TreeMap<>();
        stages.forEach((stage, now) -> {
            StageTotal before = earlier.stages.getOrDefault(stage, new StageTotal(0, 0));
            double count = now.count() - before.count();
            if (count > 0) {
                means.put(stage, (now.seconds() - before.seconds()) / count);
            }
        });
        return means;
    }
}
