package dev.tidemark.deploy.bench;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class MetricsPageTest {

    @Test
    void readsMeansOfStagesBetweenTwoPages() {
        String visibility = "tidemark_visibility_seconds_bucket{index=\"i\",table=\"t\",le=\"+Inf\"} 2\n";
        TidemarkLoop.MetricsPage before = TidemarkLoop.MetricsPage.parse(
                visibility
                        + "tidemark_stage_seconds_count{stage=\"kafka\",table=\"t\"} 2\n"
                        + "tidemark_stage_seconds_sum{stage=\"kafka\",table=\"t\"} 1.0\n",
                "t");
        TidemarkLoop.MetricsPage after = TidemarkLoop.MetricsPage.parse(
                visibility
                        + "tidemark_stage_seconds_count{stage=\"kafka\",table=\"t\"} 6\n"
                        + "tidemark_stage_seconds_count{stage=\"kafka\",table=\"u\"} 9\n"
                        + "tidemark_stage_seconds_sum{stage=\"kafka\",table=\"t\"} 1.2\n",
                "t");

        assertThat(after.stageMeansSince(before)).containsOnlyKeys("kafka");
        assertThat(after.stageMeansSince(before).get("kafka")).isBetween(0.0499, 0.0501);
        assertThat(after.stageMeansSince(after)).isEmpty();
    }
}
