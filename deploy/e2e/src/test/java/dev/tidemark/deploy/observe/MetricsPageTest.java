package dev.tidemark.deploy.observe;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/** The metrics that {@code docs/metrics.md} describes are those that the sources register. */
class MetricsPageTest {
    private static final Pattern REGISTERED = Pattern.compile("\"tidemark[._]([a-z._]+)\"");
    private static final Pattern READING = Pattern.compile("\"([a-z]+\\.[a-z.]+)\"");
    private static final Pattern KAFKA = Pattern.compile("Map\\.entry\\(\"([a-z-]+)\"");
    private static final Pattern DESCRIBED = Pattern.compile("^\\| `tidemark_([a-z_]+)`", Pattern.MULTILINE);
    private static final List<String> SUFFIXES = List.of("", "_total", "_seconds", "_seconds_total", "_bytes");

    private final SourceTree tree = SourceTree.ofProject();

    @Test
    void everyMetricOfTheSourcesIsDescribed() {
        Set<String> described = described();

        assertThat(registered())
                .hasSizeGreaterThan(30)
                .allSatisfy(
                        name -> assertThat(SUFFIXES.stream().map(name::concat)).anyMatch(described::contains));
    }

    @Test
    void everyMetricThatIsDescribedIsInTheSources() {
        Set<String> exported = registered().stream()
                .flatMap(name -> SUFFIXES.stream().map(name::concat))
                .collect(Collectors.toSet());

        assertThat(described())
                .hasSizeGreaterThan(30)
                .filteredOn(name -> !name.startsWith("kafka_"))
                .isSubsetOf(exported);
    }

    @Test
    void theMetricsOfKafkaClientsAreThoseThatAreShown() {
        Set<String> described = described().stream()
                .filter(name -> name.startsWith("kafka_"))
                .map(name -> name.replaceFirst("^kafka_(producer|consumer)_", ""))
                .collect(Collectors.toSet());
        Set<String> shown = tree.mainFiles().stream()
                .filter(file -> file.endsWith("ClientGauges.java"))
                .map(file -> String.join("\n", SourceTree.lines(file)))
                .flatMap(source -> KAFKA.matcher(source).results())
                .map(found -> found.group(1).replaceFirst("-count$", "s").replace('-', '_'))
                .collect(Collectors.toSet());

        assertThat(shown).isNotEmpty().isEqualTo(described);
    }

    @Test
    void everySeriesThatRulesMayUseIsDescribed() {
        Set<String> described = described();

        assertThat(ExportedMetrics.names())
                .filteredOn(name -> name.startsWith("tidemark_"))
                .extracting(name -> name.replaceFirst("^tidemark_", "").replaceFirst("_(bucket|sum|count)$", ""))
                .allSatisfy(name -> assertThat(described).contains(name));
    }

    private Set<String> described() {
        String page = String.join("\n", SourceTree.lines(tree.root().resolve("docs/metrics.md")));
        return DESCRIBED.matcher(page).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    private Set<String> registered() {
        return tree.mainFiles().stream()
                .map(file -> String.join("\n", SourceTree.lines(file)))
                .flatMap(MetricsPageTest::namesIn)
                .map(name -> name.replace('.', '_'))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> namesIn(String source) {
        Stream<MatchResult> meters = source.matches("(?s).*package dev\\.tidemark[a-z.]*\\.metrics;.*")
                ? REGISTERED.matcher(source).results()
                : Stream.empty();
        Stream<MatchResult> readings = source.contains("import dev.tidemark.runtime.GaugeValue;")
                ? READING.matcher(source).results()
                : Stream.empty();
        return Stream.concat(meters, readings).map(found -> found.group(1));
    }
}
