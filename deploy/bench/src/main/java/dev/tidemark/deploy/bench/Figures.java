package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The figures of a report, as cells of a table that people read. */
public final class Figures {
    /** What stands above the columns. */
    public static final List<String> HEADER =
            List.of("changes/s", "beside", "quantile", "bare loop", "Tidemark", "ratio");

    /** The same for {@link #outside}. */
    public static final List<String> OUTSIDE_HEADER = List.of("changes/s", "from, to", "p50", "p99");

    /** The same for {@link #stages}. */
    public static final List<String> STAGE_HEADER = List.of("changes/s", "stage", "mean");

    private static final List<String> STAGES = List.of("committer", "outbox", "kafka", "queue", "apply");

    private Figures() {}

    /** A row for each rate and stage. */
    public static List<List<String>> stages(VisibilityReport report) {
        List<List<String>> rows = new ArrayList<>();
        for (Comparison each : report.comparisons()) {
            for (String stage : STAGES) {
                List<Double> means = each.tidemark().stream()
                        .flatMap(round -> Stream.ofNullable(round.stageMeans().get(stage)))
                        .toList();
                if (!means.isEmpty()) {
                    rows.add(List.of(rate(each), stage, millis(RoundSpread.of(means))));
                }
            }
        }
        return rows;
    }

    /** What watching costs, in a sentence. */
    public static String sentence(ApplyCost cost) {
        return String.format(
                Locale.ROOT,
                "Timing every change costs %.1f %% of the applying thread's processor time (median of rounds from %.1f to"
                        + " %.1f %%; %.2f µs a change with the listeners, %.2f µs without).",
                cost.share().median() * 100,
                cost.share().min() * 100,
                cost.share().max() * 100,
                cost.attached().median() / 1e3,
                cost.detached().median() / 1e3);
    }

    /** A row for each rate, bare loop and quantile. */
    public static List<List<String>> rows(VisibilityReport report) {
        List<List<String>> rows = new ArrayList<>();
        for (Comparison each : report.comparisons()) {
            for (Baseline peer : each.peers().keySet()) {
                rows.add(row(each, peer, "p50", Round.Quantiles::p50, each.p50Ratio(peer)));
                rows.add(row(each, peer, "p99", Round.Quantiles::p99, each.p99Ratio(peer)));
            }
        }
        return rows;
    }

    /** A row for each rate and measure taken from outside. */
    public static List<List<String>> outside(VisibilityReport report) {
        List<List<String>> rows = new ArrayList<>();
        for (Comparison each : report.comparisons()) {
            for (Round.Measure measure : Round.Measure.values()) {
                rows.add(List.of(
                        rate(each),
                        name(measure),
                        millis(Comparison.spread(each.tidemark(), measure, Round.Quantiles::p50)),
                        millis(Comparison.spread(each.tidemark(), measure, Round.Quantiles::p99))));
            }
        }
        return rows;
    }

    /** A median, and the smallest and largest beside it. */
    public static String millis(RoundSpread spread) {
        return String.format(
                Locale.ROOT, "%.2f ms (%.2f to %.2f)", spread.median() * 1e3, spread.min() * 1e3, spread.max() * 1e3);
    }

    private static List<String> row(
            Comparison comparison,
            Baseline peer,
            String name,
            ToDoubleFunction<Round.Quantiles> quantile,
            double ratio) {
        return List.of(
                rate(comparison),
                peer.label(),
                name,
                millis(Comparison.spread(comparison.rounds(peer), Round.Measure.VISIBILITY, quantile)),
                millis(Comparison.spread(comparison.tidemark(), Round.Measure.VISIBILITY, quantile)),
                String.format(Locale.ROOT, "%.2f", ratio));
    }

    private static String rate(Comparison comparison) {
        return String.format(Locale.ROOT, "%,d", comparison.load().perSecond());
    }

    private static String name(Round.Measure measure) {
        return switch (measure) {
            case VISIBILITY -> "commit to queryable, every change";
            case SENT_TO_SEEN -> "due to be sent to seen by a query";
            case ANSWERED_TO_SEEN -> "write answered to seen by a query";
        };
    }
}
