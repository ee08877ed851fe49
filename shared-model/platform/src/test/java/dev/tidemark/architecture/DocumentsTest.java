package dev.tidemark.architecture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/** The README and the pages of {@code docs/}: short, whole, and in step with the sources. */
class DocumentsTest {
    private static final int README_LINES = 120;
    private static final int ARCHITECTURE_LINES = 150;
    private static final int COLUMNS = 120;
    private static final Pattern CODE_SPAN = Pattern.compile("`([^`\n]+)`");
    private static final Pattern CLASS_NAME = Pattern.compile("\\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\\b");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([a-z.]+);");
    private static final Pattern DECISION = Pattern.compile("\\d{4}-[a-z0-9-]+\\.md");

    private final SourceTree tree = SourceTree.ofProject();

    @Test
    void theReadmeAndTheArchitectureAreShort() {
        assertThat(page("README.md")).hasSizeLessThanOrEqualTo(README_LINES);
        assertThat(page("docs/architecture.md")).hasSizeLessThanOrEqualTo(ARCHITECTURE_LINES);
    }

    @Test
    void everyPackageIsInTheArchitecture() {
        Set<String> named = CODE_SPAN
                .matcher(String.join("\n", page("docs/architecture.md")))
                .results()
                .map(span -> span.group(1))
                .collect(Collectors.toSet());
        Set<String> packages = tree.mainFiles().stream()
                .filter(file -> file.endsWith("package-info.java"))
                .flatMap(file -> PACKAGE.matcher(String.join("\n", SourceTree.lines(file)))
                        .results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(packages)
                .hasSizeGreaterThan(50)
                .allSatisfy(name ->
                        assertThat(named).anyMatch(span -> name.equals(span) || name.equals("dev.tidemark." + span)));
    }

    @Test
    void everyClassThatAPageNamesExists() {
        Set<String> classes = tree.javaFiles().stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(tree.documents())
                .hasSizeGreaterThan(20)
                .allSatisfy(file -> assertThat(classes).as(file.toString()).containsAll(classesIn(file)));
    }

    @Test
    void everyRelativeLinkResolves() {
        assertThat(tree.documents())
                .allSatisfy(file -> assertThat(LINK.matcher(String.join("\n", prose(file)))
                                .results()
                                .map(link -> link.group(1))
                                .filter(link -> !link.contains("://")))
                        .as(file.toString())
                        .allSatisfy(link ->
                                assertThat(resolves(file, link)).as(link).isTrue()));
    }

    @Test
    void noLineOfProseIsLong() {
        assertThat(tree.documents())
                .allSatisfy(file -> assertThat(prose(file))
                        .as(file.toString())
                        .filteredOn(line -> !line.startsWith("|"))
                        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(COLUMNS)));
    }

    @Test
    void noSentenceIsVague() {
        assertThat(tree.documents())
                .allSatisfy(file -> assertThat(prose(file))
                        .as(file.toString())
                        .noneMatch(line -> ProseTest.VAGUE.matcher(line).find()));
    }

    @Test
    void everyDecisionHasItsSectionsAndIsInTheIndex() {
        String index = String.join("\n", page("docs/adr/README.md"));

        assertThat(tree.documents())
                .filteredOn(
                        file -> DECISION.matcher(file.getFileName().toString()).matches())
                .hasSizeGreaterThan(20)
                .allSatisfy(file -> {
                    assertThat(SourceTree.lines(file))
                            .as(file.toString())
                            .contains("## Context", "## Decision", "## Consequences");
                    assertThat(index).contains("(" + file.getFileName() + ")");
                });
    }

    private List<String> page(String name) {
        return SourceTree.lines(tree.root().resolve(name));
    }

    /** The lines outside of fences and of what benchmarks wrote. */
    private static List<String> prose(Path file) {
        List<String> lines = new ArrayList<>();
        boolean fenced = false;
        boolean written = false;
        for (String line : SourceTree.lines(file)) {
            if (line.strip().startsWith("```")) {
                fenced = !fenced;
            } else if (line.contains(": written by tidemark bench")) {
                written = true;
            } else if (line.startsWith("<!-- end of ")) {
                written = false;
            } else if (!fenced && !written) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static boolean resolves(Path file, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    private static Set<String> anchors(Path file) {
        return prose(file).stream()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** Words like {@code RowJson} in code spans; of a nested class, like {@code ChangeEvent.Deleted}, the outer one. */
    private static Set<String> classesIn(Path file) {
        Set<String> names = new TreeSet<>();
        for (MatchResult span :
                CODE_SPAN.matcher(String.join("\n", prose(file))).results().toList()) {
            for (MatchResult word : CLASS_NAME.matcher(span.group(1)).results().toList()) {
                if (word.start() == 0 || span.group(1).charAt(word.start() - 1) != '.') {
                    names.add(word.group());
                }
            }
        }
        return names;
    }
}
