package dev.tidemark.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BadCatalogTest {
    private static final String INDENT = "    ";

    @ParameterizedTest
    @MethodSource("badCatalogs")
    void saysWhatIsWrong(String yaml, String problems) {
        assertThatThrownBy(() -> CatalogReader.read("c", yaml))
                .isInstanceOf(CatalogException.class)
                .hasMessage(problems);
    }

    @Test
    void refusesAnEmptyFile() {
        for (String yaml : List.of("", "\n", "# nothing\n")) {
            assertThatThrownBy(() -> CatalogReader.read("c", yaml))
                    .hasMessage("c:1:1: the file is empty; expected a mapping with the key tables");
        }
    }

    @Test
    void stopsReadingAliasesThatMultiply() {
        StringBuilder yaml = new StringBuilder("a: &a [x]\n");
        yaml.append("b: [").append("*a, ".repeat(1_000)).append("*a]\n");

        assertThatThrownBy(() -> CatalogReader.read("c", yaml.toString()))
                .isInstanceOf(CatalogException.class)
                .hasMessageStartingWith("c:1:1: not YAML: Number of aliases for non-scalar nodes exceeds");
    }

    @Test
    void takesNoAliasesThatRepeatTooMuch() {
        String values = "1,".repeat(10_000) + "1";
        String index = "{key: [a], where: {x: {in: &v [%s]}}}".formatted(values);
        String others = IntStream.range(0, 5)
                .mapToObj(i -> ", i%d: {key: [a], where: {x: {in: *v}}}".formatted(i))
                .collect(Collectors.joining());
        String yaml = "tables: {t: {primaryKey: id, indexes: {i: " + index + others + "}}}";

        assertThatThrownBy(() -> CatalogReader.read("c", yaml))
                .isInstanceOf(CatalogException.class)
                .hasMessage("c:1:1: found aliases that repeat too much; expected at most 50000 values with each alias"
                        + " written out");
    }

    @Test
    void takesNoListThatContainsItself() {
        assertThatThrownBy(() -> CatalogReader.read("c", "tables: &x {t: *x}"))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining("aliases that repeat too much");
    }

    @Test
    void takesSoManyIndexesOfATableAsANoteHolds() throws Exception {
        String yaml = "tables: {t: {primaryKey: id, indexes: {%s}}}";
        String most = IntStream.range(0, TableDefinition.MAX_INDEXES)
                .mapToObj(i -> "i" + i + ": {key: [a]}")
                .collect(Collectors.joining(", "));
        assertThat(CatalogReader.read("c", yaml.formatted(most)).indexes()).hasSize(128);

        String more = yaml.formatted(most + ", j: {key: [a]}");
        assertThatThrownBy(() -> CatalogReader.read("c", more))
                .hasMessage("c:1:39: found 129 indexes of table t; expected at most 128");
    }

    @Test
    void countsTheProblemsThatItDoesNotKeep() {
        String yaml = "tables: {t: {primaryKey: id, indexes: {i: {key: [a], where: {x: {in: [" + "1,".repeat(200_000)
                + "1]}}}}}}";

        assertThatThrownBy(() -> CatalogReader.read("c", yaml))
                .hasMessageEndingWith("c: and 199950 more problems")
                .message()
                .hasLineCount(51);
    }

    @Test
    void findsTheFieldsThatOverlapAmongOthersThatBeginAlike() {
        String yaml = "tables: {t: {primaryKey: id, indexes: {i: {key: [b, a.b, a.b-c, a-b, a.c.d, %s]}}}}";
        for (String other : List.of("a.b.x", "a.c.d.e", "b.x.y", "a-b.c")) {
            assertThatThrownBy(() -> CatalogReader.read("c", yaml.formatted(other)))
                    .hasMessageContaining(
                            "field " + other + " overlaps with field " + other.replaceFirst("\\.(x|x\\.y|c|e)$", ""));
        }
        assertThatThrownBy(() -> CatalogReader.read("c", yaml.formatted("a.c")))
                .hasMessageContaining("field a.c overlaps with field a.c.d");
        assertThatThrownBy(() -> CatalogReader.read("c", yaml.formatted("a.b-c")))
                .hasMessageContaining("field a.b-c is there already");
    }

    @Test
    void showsAtMostFiftyProblems() {
        StringBuilder yaml = new StringBuilder("tables:\n");
        for (int i = 0; i < 60; i++) {
            yaml.append("  t").append(i).append(": 1\n");
        }

        assertThatThrownBy(() -> CatalogReader.read("c", yaml.toString()))
                .hasMessageEndingWith("c: and 10 more problems")
                .message()
                .hasLineCount(51);
    }

    static Stream<Arguments> badCatalogs() throws IOException {
        Map<String, String> problemsByYaml = new LinkedHashMap<>();
        String yaml = "";
        for (String line : lines()) {
            if (line.startsWith(INDENT)) {
                problemsByYaml.merge(yaml, line.strip(), (a, b) -> a + "\n" + b);
            } else if (!line.startsWith("#")) {
                yaml = line.replace("\\n", "\n").replace("\\t", "\t");
            }
        }
        return problemsByYaml.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    private static List<String> lines() throws IOException {
        try (InputStream file = BadCatalogTest.class.getResourceAsStream("bad-catalogs.txt")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
