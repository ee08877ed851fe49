package dev.tidemark.deploy.bench;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

final class MarkedSectionTest {
    private final MarkedSection section = new MarkedSection("put");

    @Test
    void replacesItsSectionAndLeavesTheRest() {
        String first = section.replaced("# Report\n", List.of("one"));
        String second = section.replaced(first + "\n## More\n", List.of("two"));

        assertThat(first).startsWith("# Report\n\n<!--").contains("\none\n");
        assertThat(second)
                .contains("\ntwo\n")
                .doesNotContain("one")
                .startsWith("# Report")
                .endsWith("## More\n");
    }

    @Test
    void leavesTheSectionsOfOtherBenchmarks() {
        String other = new MarkedSection("query").replaced("", List.of("theirs"));

        assertThat(section.replaced(other, List.of("mine"))).contains("theirs", "mine", "end of put", "end of query");
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
