package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class BuildBenchmarkTest {
    private final List<String> calls = new ArrayList<>();

    @Test
    void everyBuilderHasTheSameRowsAndTheyBuildInTurn() throws Exception {
        Map<String, IndexBuilder> builders = new LinkedHashMap<>();
        builders.put("a", new Noted("a"));
        builders.put("b", new Noted("b"));

        BuildBenchmark.build(builders, 3, 2, line -> {});

        assertThat(calls)
                .startsWith("a has 0, 1, 2", "b has 0, 1, 2")
                .filteredOn(call -> call.contains("keys_only"))
                .containsExactly("a keys_only", "b keys_only", "b keys_only", "a keys_only");
        assertThat(calls).filteredOn("a drops"::equals).hasSize(4);
    }

    @Test
    void tellsTheRatioToTheOther() {
        assertThat(lines(Map.of("Tidemark", rounds(6))))
                .anyMatch(line -> line.contains("| Tidemark | 6.00 s") && line.endsWith("|  |"));
        Map<String, List<Map<Figure, Double>>> both = new LinkedHashMap<>();
        both.put("Tidemark", rounds(6));
        both.put("PostgreSQL", rounds(2.5));
        assertThat(lines(both)).anyMatch(line -> line.contains("| Tidemark |") && line.endsWith("| 2.40 |"));
    }

    @Test
    void tellsWhatARowCostsBesideOneAppliedLive() {
        assertThat(lines(Map.of("Tidemark", rounds(6))))
                .last()
                .asString()
                .contains("8.00 µs", "10.00 µs", "ratio 0.80");
    }

    private static List<String> lines(Map<String, List<Map<Figure, Double>>> byName) {
        Machine machine = new Machine(Instant.EPOCH, "cpu", 2, "1 GiB", "os", "17", 0.5);
        Cost cost = new Cost(spread(8_000), spread(10_000), spread(0.8));
        return BuildBenchmark.report(
                        machine, 1_000, 5, Map.of(IndexBuilder.IndexShape.KEYS_ONLY, new Rounds(byName)), cost)
                .markdown();
    }

    private static List<Map<Figure, Double>> rounds(double seconds) {
        return List.of(Map.of(Figure.BUILT, seconds));
    }

    private static RoundSpread spread(double seconds) {
        return new RoundSpread(seconds, seconds, seconds);
    }

    /** Takes no time and notes what it is asked. */
    private final class Noted implements IndexBuilder {
        private final String name;

        Noted(String name) {
            this.name = name;
        }

        @Override
        public void load(Stream<CustomerRow> rows) {
            List<String> ids = rows.map(row -> Integer.toString(row.id())).toList();
            calls.add(name + " has " + String.join(", ", ids));
        }

        @Override
        public Duration build(IndexBuilder.IndexShape shape) {
            calls.add(name + " " + shape.projection());
            return Duration.ofSeconds(1);
        }

        @Override
        public void drop() {
            calls.add(name + " drops");
        }
    }
}
