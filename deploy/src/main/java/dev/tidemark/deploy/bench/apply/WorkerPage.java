package dev.tidemark.deploy.bench.apply;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a worker's metrics page says of how far it is.
 *
 * @param applied how many changes it has applied since it began
 * @param reading whether it has had records from the topic
 */
record WorkerPage(long applied, boolean reading) {
    private static final Pattern APPLIED = sample("tidemark_events_applied_total");
    private static final Pattern CONSUMED = sample("tidemark_kafka_consumer_records_consumed_rate");

    static WorkerPage of(String page) {
        double applied = sum(APPLIED, page);
        return new WorkerPage((long) applied, applied > 0 || sum(CONSUMED, page) > 0);
    }

    private static Pattern sample(String name) {
        return Pattern.compile("(?m)^" + name + "(?:\\{[^}]*})? (\\S+)");
    }

    private static double sum(Pattern wanted, String page) {
        double sum = 0;
        for (Matcher found = wanted.matcher(page); found.find(); ) {
            double value = Double.parseDouble(found.group(1));
            sum += Double.isNaN(value) ? 0 : value;
        }
        return sum;
    }
}
