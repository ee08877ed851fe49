package dev.tidemark.deploy.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Rounds of the bare loop and of Tidemark under the same load.
 *
 * @param bare at least one
 * @param tidemark as many
 */
public record Comparison(Load load, List<Round> bare, List<Round> tidemark) {
    /** Tidemark's median latency is to be at most so many times the bare loop's. */
    public static final double P50_TARGET = 2;

    /** The same of the latency that one change in a hundred exceeds. */
    public static final double P99_TARGET = 1.5;

    public Comparison {
        bare = List.copyOf(bare);
        tidemark = List.copyOf(tidemark);
    }

    public double p50Ratio() {
        return ratio(Round.Quantiles::p50);
    }

    public double p99Ratio() {
        return ratio(Round.Quantiles::p99);
    }

    /** Whether both ratios are within their targets. */
    public boolean met() {
        return p50Ratio() <= P50_TARGET && p99Ratio() <= P99_TARGET;
    }

    /** One quantile of one measure over the rounds of one contestant. */
    public static Spread spread(List<Round> rounds, Round.Measure measure, ToDoubleFunction<Round.Quantiles> quantile) {
        return Spread.of(rounds.stream()
                .map(round -> quantile.applyAsDouble(round.get(measure)))
                .toList());
    }

    private double ratio(ToDoubleFunction<Round.Quantiles> quantile) {
        return spread(tidemark, Round.Measure.VISIBILITY, quantile).median()
                / spread(bare, Round.Measure.VISIBILITY, quantile).median();
    }
}
