package dev.tidemark.deploy.probe;

import java.util.Map;
import java.util.OptionalDouble;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MetricTextTest {
    private static final String TEXT = """
            # HELP tidemark_index_freshness_seconds how old {an answer} can be
            # TYPE tidemark_index_freshness_seconds gauge
            tidemark_index_freshness_seconds{index="by_id",table="canary"} 0.25
            tidemark_index_freshness_seconds{index="by_town",table="customers"} NaN
            tidemark_index_freshness_seconds{index="odd\\"}name",table="odd"} 1.5E-4 1700000000000
            tidemark_index_freshness_seconds_max{index="by_id",table="canary"} 7
            tidemark_index_freshness_seconds{index="far",table="canary"} +Inf
            """;

    @Test
    void findsTheSampleWithThoseLabels() {
        assertThat(value("canary", "by_id")).hasValue(0.25);
    }

    @Test
    void readsNanAsUnknownAndInfinityAsANumber() {
        assertThat(value("customers", "by_town")).isEmpty();
        assertThat(value("canary", "far")).hasValue(Double.POSITIVE_INFINITY);
    }

    @Test
    void readsExponentsTimestampsAndEscapes() {
        assertThat(MetricText.samples(TEXT, "tidemark_index_freshness_seconds", Map.of("table", "odd")))
                .singleElement()
                .satisfies(sample -> assertThat(sample.value()).hasValue(1.5E-4));
    }

    @Test
    void findsNothingWhereThereIsNothing() {
        assertThat(MetricText.samples(TEXT, "tidemark_index_lag_seconds", Map.of()))
                .isEmpty();
    }

    private static OptionalDouble value(String table, String index) {
        return MetricText.samples(TEXT, "tidemark_index_freshness_seconds", Map.of("table", table, "index", index))
                .get(0)
                .value();
    }
}
