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

    /** A maximum leaves out what is not a number; a sum does not. */
    @Test
    void theWorstFreshnessIsUnknownWhileThatOfOneIndexIs(@TempDir Path directory) throws Exception {
        String worst = Dashboard.read(FILE).expressions().stream()
                .filter(expression -> expression.startsWith("max(tidemark_index_freshness_seconds"))
                .findFirst()
                .orElseThrow();
        assertThat(worst).contains("sum(max by (table, index)");
        List<Map<String, String>> figures = List.of(
                figure("freshness_seconds", "worker-1", "i", "2x39"),
                figure("freshness_seconds", "worker-2", "i", "1x9 NaN+0x9 1x19"),
                figure("freshness_seconds", "worker-1", "j", "1x19 NaN+0x9 1x9"),
                figure("freshness_seconds", "writer", "j", "1x19 NaN+0x9 1x4 NaN+0x4"),
                figure("state", "worker-1", "i", "0x39"),
                figure("state", "worker-2", "i", "0x39"),
                figure("state", "worker-1", "j", "0x39"));
        List<Map<String, Object>> expected = List.of(
                isKnown(worst, 5), isKnown(worst, 15), isUnknown(worst, 25), isKnown(worst, 33), isUnknown(worst, 38));
        Path file = directory.resolve("worst.yml");
        JSON.writeValue(
                file.toFile(),
                Map.of(
                        "evaluation_interval",
                        "1m",
                        "tests",
                        List.of(Map.of("interval", "1m", "input_series", figures, "promql_expr_test", expected))));
        PromtoolCheck.passes("test", "rules", file.toString());
    }

    private static Map<String, String> figure(String name, String instance, String index, String values) {
        String series = "tidemark_index_%s{instance=\"%s\",table=\"t\",index=\"%s\"}".formatted(name, instance, index);
        return Map.of("series", series, "values", values);
    }

    private static Map<String, Object> isKnown(String expression, int minute) {
        String known = "count((" + expression + ") >= 0)";
        List<Map<String, Object>> one = List.of(Map.of("labels", "{}", "value", 1));
        return Map.of("expr", known, "eval_time", minute + "m", "exp_samples", one);
    }

    private static Map<String, Object> isUnknown(String expression, int minute) {
        String unknown = "count((" + expression + ") != (" + expression + "))";
        List<Map<String, Object>> one = List.of(Map.of("labels", "{}", "value", 1));
        return Map.of("expr", unknown, "eval_time", minute + "m", "exp_samples", one);
    }

    @Test
    void everyPanelSaysWhereItsDataComesFrom() throws IOException {
        JsonNode panels = JSON.readTree(FILE.toFile()).path("panels");
        assertThat(panels.findValuesAsText("uid")).isNotEmpty().containsOnly("${DS_PROMETHEUS}");
        assertThat(panels.findValuesAsText("id")).isNotEmpty().doesNotHaveDuplicates();
    }
}
