package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.meters.MetricsPage;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/** Under load, the stages of the way account for all the time that changes take to be found. */
@Isolated("it measures, and several stacks at a time would make it measure them")
@TakesTurns(turn = 1, of = 3)
class StagesIT {
    private static final String TABLE = "people";
    private static final List<String> STAGES = List.of("committer", "outbox", "kafka", "queue", "apply");
    private static final Duration LOAD = Duration.ofSeconds(6);

    @Test
    void addUpToVisibilityBetweenTwoScrapes() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start(
                "stages", settings -> settings.withCatalog(StackUnderTest.resource("/e2e/kills.yaml")))) {
            requireStagesAddUp(stack);
        }
    }

    private static void requireStagesAddUp(StackUnderTest stack) throws Exception {
        MetricsPage before = stack.indexes().metrics();
        try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 3)) {
            BoundedWait.rest(LOAD);
            load.stop();
            // While changes come in, a scrape finds some of them counted in one metric only.
            stack.settle(TABLE);
            MetricsPage after = stack.indexes().metrics();
            JsonNode lag = stack.indexes().http().get("/v1/lag").requireOk().json();

            Map<String, Double> seconds = new TreeMap<>();
            for (String stage : STAGES) {
                seconds.put(stage, grown(before, after, "tidemark_stage_seconds_sum", "stage", stage));
                assertThat(grown(before, after, "tidemark_stage_seconds_count", "stage", stage))
                        .as("changes in stage %s", stage)
                        .isGreaterThan(100)
                        .isCloseTo(
                                grown(before, after, "tidemark_visibility_seconds_count", "index", "by_town"),
                                withinPercentage(5));
            }
            double all =
                    seconds.values().stream().mapToDouble(Double::doubleValue).sum();
            assertThat(all)
                    .as("seconds in all stages: %s", seconds)
                    .isCloseTo(
                            grown(before, after, "tidemark_visibility_seconds_sum", "index", "by_town"),
                            withinPercentage(5));
            assertThat(seconds)
                    .as("every part of the way takes some time")
                    .allSatisfy((stage, time) -> assertThat(time).as(stage).isPositive());
            requireMeansAddUp(lag);
        }
    }

    private static void requireMeansAddUp(JsonNode lag) {
        double sum = 0;
        for (JsonNode table : lag.path("tables")) {
            if (table.path("table").asText().equals(TABLE)) {
                assertThat(table.path("stages").findValuesAsText("stage")).isEqualTo(STAGES);
                for (JsonNode stage : table.path("stages")) {
                    sum += stage.path("meanSeconds").asDouble();
                }
            }
        }
        for (JsonNode index : lag.path("indexes")) {
            if (index.path("table").asText().equals(TABLE)) {
                assertThat(sum)
                        .isPositive()
                        .isCloseTo(index.path("visibility").path("meanSeconds").asDouble(), withinPercentage(5));
            }
        }
    }

    private static double grown(MetricsPage before, MetricsPage after, String name, String label, String value) {
        return after.sum(name, "table", TABLE, label, value) - before.sum(name, "table", TABLE, label, value);
    }
}
