package dev.tidemark.architecture;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/** Comments name who does what, in words that the field uses. */
class ProseTest {
    private static final int COLUMNS = 120;
    private static final List<String> COMMENT = List.of("//", "/*", "*");
    static final Pattern VAGUE = Pattern.compile(
            "\\b(?:who(?:m)?ever|whatever|somebody|nobody|anybody|anew|in vain|of (?:its|their) own|plays? along"
                    + "|what (?:came|comes|became|becomes?) of|so (?:many|long)|told|tells?|telling)\\b",
            Pattern.CASE_INSENSITIVE);

    private final SourceTree tree = SourceTree.ofProject();

    @Test
    void noCommentOfMainCodeIsVague() {
        assertThat(tree.mainFiles())
                .hasSizeGreaterThan(500)
                .allSatisfy(file -> assertThat(comments(file))
                        .as(file.toString())
                        .noneMatch(line -> VAGUE.matcher(line).find()));
    }

    @Test
    void noCommentIsWide() {
        assertThat(tree.javaFiles())
                .hasSizeGreaterThan(1000)
                .allSatisfy(file ->
                        assertThat(comments(file)).as(file.toString()).allMatch(line -> line.length() <= COLUMNS));
    }

    private static Stream<String> comments(Path file) {
        return SourceTree.lines(file).stream().filter(line -> COMMENT.stream().anyMatch(line.strip()::startsWith));
    }
}
