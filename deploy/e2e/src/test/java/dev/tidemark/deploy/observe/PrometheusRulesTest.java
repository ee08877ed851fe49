package dev.tidemark.deploy.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

final class PrometheusRulesTest {
    private static final Path DIRECTORY = SourceTree.ofProject().root().resolve("deploy/monitoring/prometheus");
    private static final List<Rule> RULES = Rule.in(DIRECTORY.resolve("rules"));
    private static final List<Rule> ALERTS = RULES.stream().filter(Rule::alert).toList();

    @Test
    void prometheusAcceptsTheConfigurationAndTheRules() throws Exception {
        PromtoolCheck.passes(
                "check", "config", DIRECTORY.resolve("prometheus.yml").toString());
        PromtoolCheck.passes(arguments(List.of("check", "rules", "--lint=all", "--lint-fatal"), "rules"));
    }

    @Test
    void everyAlertFiresWhenItShouldAndIsSilentOtherwise() throws Exception {
        PromtoolCheck.passes(arguments(List.of("test", "rules"), "tests"));
    }

    @Test
    void everyAlertFiresInSomeScenario() throws Exception {
        String scenarios = filesIn("tests").map(PrometheusRulesTest::read).collect(Collectors.joining());
        assertThat(ALERTS)
                .isNotEmpty()
                .allSatisfy(alert -> assertThat(scenarios).contains("labels: '{alertname=\"" + alert.name() + "\"}'"));
    }

    @Test
    void rulesUseOnlyWhatIsExportedOrRecorded() {
        Set<String> known = new TreeSet<>(ExportedMetrics.names());
        RULES.stream().filter(rule -> !rule.alert()).map(Rule::name).forEach(known::add);
        assertThat(RULES)
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(PromqlNames.in(rule.expression()))
                        .as(rule.name())
                        .isSubsetOf(known));
    }

    @Test
    void everyAlertSaysWhatItIsAndWhatToDo() {
        assertThat(ALERTS).allSatisfy(alert -> {
            assertThat(alert.labels().get("severity")).as(alert.name()).isIn("critical", "warning");
            assertThat(alert.annotations().keySet())
                    .as(alert.name())
                    .containsExactlyInAnyOrder("summary", "description", "action", "runbook");
        });
    }

    @Test
    void theRunbookHasOneSectionForEachAlertAndTheAlertLinksToIt() throws Exception {
        List<String> sections = Pattern.compile("^## (.+)$", Pattern.MULTILINE)
                .matcher(Files.readString(SourceTree.ofProject().root().resolve("docs/runbook.md")))
                .results()
                .map(heading -> heading.group(1))
                .toList();
        assertThat(sections)
                .containsExactlyInAnyOrderElementsOf(
                        ALERTS.stream().map(Rule::name).toList());
        assertThat(ALERTS)
                .allSatisfy(alert -> assertThat(alert.annotations().get("runbook"))
                        .isEqualTo("docs/runbook.md#" + alert.name().toLowerCase(Locale.ROOT)));
    }

    private static String[] arguments(List<String> first, String directory) throws IOException {
        return Stream.concat(first.stream(), filesIn(directory).map(Path::toString))
                .toArray(String[]::new);
    }

    private static Stream<Path> filesIn(String directory) throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY.resolve(directory))) {
            return files.sorted().toList().stream();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
