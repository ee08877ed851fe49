package dev.tidemark.deploy.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

final class GrafanaDashboardTest {
    private static final Path FILE = SourceTree.ofProject().root().resolve("deploy/monitoring/grafana/tidemark.json");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void prometheusAcceptsEveryExpression(@TempDir Path directory) throws Exception {
        List<String> expressions = Dashboard.read(FILE).expressions();
        List<Map<String, String>> rules = IntStream.range(0, expressions.size())
                .mapToObj(i -> Map.of("record", "dashboard:expression:" + i, "expr", expressions.get(i)))
                .toList();
        // JSON is YAML as well.
        Path file = directory.resolve("dashboard.yml");
        JSON.writeValue(file.toFile(), Map.of("groups", List.of(Map.of("name", "dashboard", "rules", rules))));
        PromtoolCheck.passes("check", "rules", file.toString());
    }

    @Test
    void expressionsUseOnlyWhatIsExported() throws IOException {
        Dashboard dashboard = Dashboard.read(FILE);
        assertThat(dashboard.leftOver())
                .as("expressions with unknown variables")
                .isEmpty();
        assertThat(dashboard.expressions())
                .hasSizeGreaterThan(30)
                .allSatisfy(expression -> assertThat(PromqlNames.in(expression))
                        .as(expression)
                        .isNotEmpty()
                        .isSubsetOf(ExportedMetrics.names()));
    }

    @Test
    void showsEveryMetricOfTheContract() throws IOException {
        String text = Files.readString(FILE);
        for (ExportedMetrics.Source source :
                List.of(ExportedMetrics.Source.WORKER, ExportedMetrics.Source.WRITER, ExportedMetrics.Source.PROBER)) {
            assertThat(ExportedMetrics.namesOf(source))
                    .filteredOn(name -> !name.endsWith("_sum") && !name.endsWith("_count"))
                    .allSatisfy(name -> assertThat(text).contains(name));
        }
    }

    @Test
    void neverHidesASlowPartitionInAMean() throws IOException {
        assertThat(Dashboard.read(FILE).expressions()).noneMatch(expression -> expression.contains("avg"));
    }

    @Test
    void everyPanelSaysWhereItsDataComesFrom() throws IOException {
        JsonNode panels = JSON.readTree(FILE.toFile()).path("panels");
        assertThat(panels.findValuesAsText("uid")).isNotEmpty().containsOnly("${DS_PROMETHEUS}");
        assertThat(panels.findValuesAsText("id")).isNotEmpty().doesNotHaveDuplicates();
    }
}
