package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.bench.Scenario.ScenarioSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ScenarioBenchmarkTest {
    private static final String BASELINE = "PostgreSQL upsert";

    private final List<String> calls = new ArrayList<>();
    private final Scenario scenario = new Scenarios(
                    "", new BaselineCommands(Object.class, Object.class), path -> List.of())
            .all()
            .get(0);
    private final List<String> progress = new ArrayList<>();
    private final ScenarioSize size = new ScenarioSize(2, 1, Duration.ofSeconds(2), 1_000);

    @Test
    void theOrderTurnsRoundFromOneRoundToTheNext() throws Exception {
        run(contender("a", Figure.PUT, 9, 1, 3), contender("b", Figure.PUT, 9, 1, 1));

        assertThat(calls).containsExactly("a", "b", "b", "a", "a", "b");
        assertThat(progress).first().asString().contains("put, warming up", "Tidemark 9.00 rows/s");
        assertThat(progress).last().asString().contains("round 2 of 2", "PostgreSQL upsert 1.00 rows/s");
    }

    @Test
    void roundsThatWarmUpDoNotCount() throws Exception {
        ScenarioBenchmark.FigureResult outcome =
                run(contender("a", Figure.PUT, 9, 1, 3), contender("b", Figure.PUT, 9, 1, 1));

        assertThat(outcome.tidemark().max()).isEqualTo(3);
        assertThat(outcome.ratio()).contains(2.0);
    }

    @Test
    void withoutAPeerThereIsNoRatio() throws Exception {
        ScenarioBenchmark.FigureResult outcome = ScenarioBenchmark.results(
                        scenario, size, Map.of(Contender.TIDEMARK, contender("a", Figure.PUT, 1, 1, 1)), progress::add)
                .get(0);
        assertThat(outcome.ratio()).isEmpty();
        assertThat(outcome.cells()).contains("PostgreSQL upsert", "left out").endsWith("");
    }

    @Test
    void aRacerThatGivesNoNumberFailsTheRace() {
        assertThatThrownBy(() -> run(contender("a", Figure.JOIN, 1, 1, 1), contender("b", Figure.PUT, 1, 1, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theReportHasARowForEachFigureAndSaysWhatWasLeftOut() throws Exception {
        ScenarioBenchmark.FigureResult outcome =
                run(contender("a", Figure.PUT, 9, 20_000, 20_000), contender("b", Figure.PUT, 9, 40_000, 40_000));
        Machine machine = new Machine(Instant.EPOCH, "cpu", 2, "1 GiB", "os", "17", 0.5);
        Report report = ScenarioBenchmark.report(machine, scenario, size, List.of(outcome), List.of("Left out: me."));

        assertThat(report.markdown())
                .contains(
                        "| durable single-row PUT, 64 connections | PostgreSQL upsert | 40,000 rows/s (40,000 to 40,000) |"
                                + " 20,000 rows/s (20,000 to 20,000) | 0.50 |",
                        "Left out: me.");
        assertThat(report.json().at("/put/ratio").asDouble()).isEqualTo(0.5);
        assertThat(report.json().at("/leftOut/0").asText()).isEqualTo("Left out: me.");
    }

    private ScenarioBenchmark.FigureResult run(Contender tidemark, Contender baseline) throws Exception {
        Map<String, Contender> contenders = new LinkedHashMap<>();
        contenders.put(Contender.TIDEMARK, tidemark);
        contenders.put(BASELINE, baseline);
        return ScenarioBenchmark.results(scenario, size, contenders, progress::add)
                .get(0);
    }

    private Contender contender(String name, Figure figure, double... numbers) {
        Deque<Double> left = new ArrayDeque<>();
        for (double number : numbers) {
            left.add(number);
        }
        return () -> {
            calls.add(name);
            return Map.of(figure, left.remove());
        };
    }
}
