package dev.tidemark.deploy.bench;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Rounds of the bare loops and of Tidemark under the same load.
 *
 * @param peers at least one round of each
 * @param tidemark as many
 */
public record Comparison(Load load, Map<Baseline, List<Round>> peers, List<Round> tidemark) {
    public Comparison {
        peers = new EnumMap<>(peers);
        tidemark = List.copyOf(tidemark);
    }

    /** The rounds of one bare loop. */
    public List<Round> rounds(Baseline peer) {
        return Optional.ofNullable(peers.get(peer))
                .orElseThrow(() -> new IllegalArgumentException("Expected rounds of " + peer));
    }

    public double p50Ratio(Baseline peer) {
        return ratio(peer, Round.Quantiles::p50);
    }

    public double p99Ratio(Baseline peer) {
        return ratio(peer, Round.Quantiles::p99);
    }

    /** One quantile of one measure over the rounds of one contestant. */
    public static RoundSpread spread(
            List<Round> rounds, Round.Measure measure, ToDoubleFunction<Round.Quantiles> quantile) {
        return RoundSpread.of(rounds.stream()
                .map(round -> quantile.applyAsDouble(round.get(measure)))
                .toList());
    }

    private double ratio(Baseline peer, ToDoubleFunction<Round.Quantiles> quantile) {
        return spread(tidemark, Round.Measure.VISIBILITY, quantile).median()
                / spread(rounds(peer), Round.Measure.VISIBILITY, quantile).median();
    }
}
