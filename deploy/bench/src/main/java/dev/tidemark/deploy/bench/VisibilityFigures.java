package dev.tidemark.deploy.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of a round of the visibility benchmark, in seconds. */
public final class VisibilityFigures {
    /** The quantiles of a report, by their names in tables and in JSON. */
    static final List<String> QUANTILES = List.of("p50", "p99");

    private VisibilityFigures() {}

    /** What latencies are measured. */
    public enum Measure {
        /** From the producer until a reader finds it. This time is compared. */
        VISIBILITY("commit to queryable, every change"),
        /** From when it was to be sent over HTTP until a query found it, of a sample. Tidemark only. */
        SENT_TO_SEEN("due to be sent to seen by a query"),
        /** From the answer to the write until a query found it, of a sample. Tidemark only. */
        ANSWERED_TO_SEEN("write answered to seen by a query");

        private final String label;

        Measure(String label) {
            this.label = label;
        }

        /** Its name in tables. */
        String label() {
            return label;
        }

        /** Its name in JSON. */
        String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** One of its quantiles. */
        Figure at(String quantile) {
            return new Figure(key() + " " + quantile, quantile, "s");
        }
    }

    /** The mean of a change in a stage of its way. */
    static Figure stage(String stage) {
        return new Figure("stage " + stage, stage, "s");
    }

    /** The quantiles of a measure; none where there were no latencies. */
    public static Map<Figure, Double> quantiles(Measure measure, Latencies latencies) {
        return latencies.count() == 0
                ? Map.of()
                : Map.of(measure.at("p50"), latencies.quantile(0.5), measure.at("p99"), latencies.quantile(0.99));
    }
}
