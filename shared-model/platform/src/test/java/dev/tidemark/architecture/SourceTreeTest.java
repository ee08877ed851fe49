package dev.tidemark.architecture;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.ProblemType;
import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

class SourceTreeTest {
    private static final int MAX_LINES = 300;
    private static final Pattern CODE_SPAN = Pattern.compile("`([^`\n]+)`");
    private static final Pattern TEST_NAME = Pattern.compile("[A-Za-z.]+(?:Test|IT)");
    private static final List<String> UNWANTED =
            List.of("@Suppress" + "Warnings", "TO" + "DO", "FIX" + "ME", "@Dis" + "abled");

    private final SourceTree tree = SourceTree.ofProject();

    @Test
    void noMainFileIsLong() {
        assertThat(tree.mainFiles())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(SourceTree.codeLines(file))
                        .as(file.toString())
                        .isLessThanOrEqualTo(MAX_LINES));
    }

    @Test
    void nothingIsPutOffOrSuppressed() {
        assertThat(tree.javaFiles())
                .allSatisfy(file -> assertThat(SourceTree.lines(file))
                        .as(file.toString())
                        .noneMatch(line -> UNWANTED.stream().anyMatch(line::contains)));
    }

    @Test
    void everyTestThatTheSecurityDocumentNamesExists() {
        Set<String> files = tree.javaFiles().stream()
                .map(file -> file.toString().replace('/', '.'))
                .collect(Collectors.toSet());
        Set<String> named = new TreeSet<>();
        Matcher spans =
                CODE_SPAN.matcher(String.join("\n", SourceTree.lines(tree.root().resolve("docs/security.md"))));
        while (spans.find()) {
            if (TEST_NAME.matcher(spans.group(1)).matches()) {
                named.add(spans.group(1));
            }
        }

        assertThat(named)
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(files).anyMatch(file -> file.endsWith("." + name + ".java")));
    }

    @Test
    void theSecurityDocumentNamesEveryLimit() {
        String text = String.join("\n", SourceTree.lines(tree.root().resolve("docs/security.md")));

        assertThat(ProblemType.values())
                .filteredOn(kind -> kind.uri().contains("too-"))
                .hasSizeGreaterThan(10)
                .allSatisfy(kind -> assertThat(text).contains("`" + kind.uri() + "`"));
    }
}
