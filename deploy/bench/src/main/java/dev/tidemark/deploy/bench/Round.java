package dev.tidemark.deploy.bench;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a round gave.
 *
 * @param measures latencies by what they are of
 * @param stageMeans mean seconds of a change in each stage of its way; empty where stages are not known
 */
public record Round(Map<Measure, Quantiles> measures, Map<String, Double> stageMeans) {

    /** What is measured. */
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
    }

    /** The quantiles of a report. */
    enum Quantile {
        P50,
        P99;

        /** Its name in tables and in JSON. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Of one measure.
     *
     * @param count how many latencies there were
     * @param p50 in seconds
     * @param p99 in seconds
     */
    public record Quantiles(long count, double p50, double p99) {
        /** One of both, in seconds. */
        double get(Quantile quantile) {
            return quantile == Quantile.P50 ? p50 : p99;
        }

        public static Quantiles of(Latencies latencies) {
            return new Quantiles(latencies.count(), latencies.quantile(0.5), latencies.quantile(0.99));
        }
    }

    /** A round of one who does not know stages. */
    public static Round of(Quantiles visibility) {
        return new Round(Map.of(Measure.VISIBILITY, visibility), Map.of());
    }

    /** One measure, which must be there. */
    public Quantiles get(Measure measure) {
        return Optional.ofNullable(measures.get(measure))
                .orElseThrow(() -> new IllegalArgumentException("Expected " + measure + " among " + measures.keySet()));
    }
}
