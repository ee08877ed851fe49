package dev.tidemark.deploy.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rounds of the bare loops and of Tidemark under the same load.
 *
 * @param rounds at least one round of each system, by its label; Tidemark is one of them
 */
record Comparison(Load load, Map<String, List<Round>> rounds) {
    Comparison {
        rounds = new LinkedHashMap<>(rounds);
    }

    /** The rounds of one system. */
    List<Round> of(String label) {
        return Optional.ofNullable(rounds.get(label))
                .orElseThrow(() -> new IllegalArgumentException("Expected rounds of " + label));
    }

    /** One quantile of one measure over the rounds of one system, in seconds. */
    RoundSpread spread(String label, Round.Measure measure, Round.Quantile quantile) {
        return RoundSpread.of(of(label), round -> round.get(measure).get(quantile));
    }

    /** Tidemark's visibility in terms of a bare loop's. */
    double ratio(Baseline baseline, Round.Quantile quantile) {
        return spread(Contender.TIDEMARK, Round.Measure.VISIBILITY, quantile).median()
                / spread(baseline.label(), Round.Measure.VISIBILITY, quantile).median();
    }
}
