package dev.tidemark.deploy.bench;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

final class ReportSectionTest {
    @Test
    void replacesItsSectionAndLeavesTheRest() {
        String first = Report.replaced("put", "# Report\n", List.of("one"));
        String second = Report.replaced("put", first + "\n## More\n", List.of("two"));

        assertThat(first).startsWith("# Report\n\n<!--").contains("\none\n");
        assertThat(second)
                .contains("\ntwo\n")
                .doesNotContain("one")
                .startsWith("# Report")
                .endsWith("## More\n");
    }

    @Test
    void leavesTheSectionsOfOtherBenchmarks() {
        String other = Report.replaced("query", "", List.of("theirs"));

        assertThat(Report.replaced("put", other, List.of("mine")))
                .contains("theirs", "mine", "end of put", "end of query");
    }

    @Test
    void thePageOfTheProjectHasTheSectionsThatBenchmarksWrite() {
        List<String> page = SourceTree.lines(SourceTree.ofProject().root().resolve("docs/benchmarks.md"));

        assertThat(page)
                .filteredOn(line -> line.startsWith("<!-- end of "))
                .hasSizeGreaterThan(10)
                .doesNotHaveDuplicates();
    }
}
