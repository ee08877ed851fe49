package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.bench.VisibilityFigures.Measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class VisibilityReportTest {
    private final Report report = new VisibilityReport(
                    new Machine(Instant.EPOCH, "cpu", 2, "1 GiB", "os", "17", 0.5),
                    new VisibilityBenchmark.Plan(List.of(1_000), 1, Duration.ofSeconds(2), Duration.ofSeconds(1), 1),
                    List.of(new VisibilityBenchmark.Comparison(
                            Load.of(1_000, Duration.ofSeconds(2)),
                            new Rounds(Map.of(
                                    Contender.TIDEMARK,
                                    List.of(own()),
                                    Baseline.LIKE_TIDEMARK.label(),
                                    List.of(round(Measure.VISIBILITY, 0.002, 0.006)),
                                    Baseline.LIKE_KAFKA.label(),
                                    List.of(round(Measure.VISIBILITY, 0.006, 0.012)))))),
                    Optional.of(new Cost(spread(9_000), spread(10_000), spread(0.9))),
                    1.5)
            .report();

    @Test
    void theTablesHaveRatiosMeasuresFromOutsideAndStages() {
        assertThat(report.markdown())
                .contains(
                        "| 1,000 | bare loop, linger.ms=0 as Tidemark | p99 | 6.00 ms (6.00 to 6.00) |"
                                + " 12.00 ms (12.00 to 12.00) | 2.00 |",
                        "| 1,000 | write answered to seen by a query | 3.00 ms (3.00 to 3.00) |"
                                + " 12.00 ms (12.00 to 12.00) |",
                        "| 1,000 | kafka | 2.00 ms (2.00 to 2.00) |")
                .last()
                .asString()
                .contains("costs -10.0 % (-10.0 to -10.0)", "9.00 µs a change", "10.00 µs without");
    }

    @Test
    void programsReadTheSameFiguresInSeconds() {
        JsonNode json = report.json();
        JsonNode rate = json.at("/rates/0");

        assertThat(json.at("/machine/processors").asInt()).isEqualTo(2);
        assertThat(json.at("/machine/loadAfter").asDouble()).isEqualTo(1.5);
        assertThat(json.at("/observation/share").asDouble()).isEqualTo(-0.1, within(1e-9));
        assertThat(rate.path("changesPerSecond").asInt()).isEqualTo(1_000);
        assertThat(rate.at("/tidemark/p50Seconds/median").asDouble()).isEqualTo(0.003);
        assertThat(rate.at("/tidemark/p50Seconds/rounds/0").asDouble()).isEqualTo(0.003);
        assertThat(rate.at("/tidemark/stageMeanSeconds/0/kafka").asDouble()).isEqualTo(0.002);
        assertThat(rate.at("/bareLoop/ratio/p50").asDouble()).isEqualTo(1.5, within(1e-9));
        assertThat(rate.at("/bareLoopDefaultLinger/lingerMillis").asInt()).isEqualTo(5);
        assertThat(rate.at("/tidemarkFromOutside/sent_to_seen/p99Seconds/max").asDouble())
                .isEqualTo(0.012);
    }

    private static Map<Figure, Double> own() {
        Map<Figure, Double> all = new HashMap<>(Map.of(VisibilityFigures.stage("kafka"), 0.002));
        for (Measure measure : Measure.values()) {
            all.putAll(round(measure, 0.003, 0.012));
        }
        return all;
    }

    private static Map<Figure, Double> round(Measure measure, double p50, double p99) {
        return Map.of(measure.at("p50"), p50, measure.at("p99"), p99);
    }

    private static RoundSpread spread(double number) {
        return new RoundSpread(number, number, number);
    }
}
