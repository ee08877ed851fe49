package dev.tidemark.deploy.bench.chart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

class ReportFileTest {
    private static final List<String> APPLY = List.of(
            "Run at noon.",
            "",
            "| who | changes/s | Tidemark, times | to reach | reached |",
            "| --- | --- | --- | --- | --- |",
            "| Tidemark | 90 |  |  |  |",
            "| another | 45 (40 to 50) | 2.00 | at least 4.0 | no |");

    @Test
    void ratiosAndAimsAreReadFromTheTablesOfSectionsAndFromNowhereElse() {
        List<AimResult> aims = Aims.in(List.of(
                "| who | ratio | to reach |",
                "| --- | --- | --- |",
                "| outside of any section | 1.0 | at least 1.0 |",
                "<!-- visibility: written by tidemark bench visibility --report -->",
                "| changes/s | beside | quantile | bare loop | ratio | at most | reached |",
                "| --- | --- | --- | --- | --- | --- | --- |",
                "| 1,000 | loop | p99 | 2 ms | 3.00 | 1.5 | no |",
                "<!-- end of visibility -->",
                "<!-- restart: written by tidemark bench restart --report -->",
                "| what | beside | ratio | to reach |",
                "| --- | --- | --- | --- |",
                "| restart | Streams | 0.50 | at most 1.0, within 2.0 s |",
                "<!-- end of restart -->"));

        assertThat(aims)
                .containsExactly(
                        new AimResult("visibility: 1,000 changes/s, loop, p99", 3, 1.5, false),
                        new AimResult("restart: restart, Streams", 0.5, 1, false));
        assertThat(aims).extracting(AimResult::share).containsExactly(0.5, 2.0);
    }

    @Test
    void thePageOfTheProjectHasTheSectionsThatBenchmarksWrite() {
        List<String> page = SourceTree.lines(SourceTree.ofProject().root().resolve("docs/benchmarks.md"));

        assertThat(page)
                .filteredOn(line -> line.startsWith("<!-- end of "))
                .hasSizeGreaterThan(10)
                .doesNotHaveDuplicates();
        assertThat(Aims.in(page)).hasSizeGreaterThan(10);
    }

    @Test
    void writingASectionDrawsAPictureThatNamesEachAimBesideTheReport(@TempDir Path directory) throws IOException {
        Path report = directory.resolve("benchmarks.md");

        new ReportFile(report).write("apply", APPLY);

        assertThat(report).content().contains("| another | 45 (40 to 50) | 2.00 |");
        assertThat(directory.resolve("aims.svg"))
                .content()
                .startsWith("<?xml")
                .contains("<svg", "apply: another", "0.5");
        assertThat(directory.toFile().list()).containsExactlyInAnyOrder("benchmarks.md", "aims.svg");
    }
}
