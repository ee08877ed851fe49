package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

final class GrowthRunTest {
    private static final long MEGABYTE = 1L << 20;

    private final ManualClock clock = new ManualClock();
    private final ScriptedStack stack = new ScriptedStack();

    @Test
    void measuresEachSizeOnceItsRowsAreThere() throws Exception {
        GrowthBenchmark.Growth report = run(Duration.ZERO);

        assertThat(stack.done)
                .containsExactly(
                        "write 100 rows up to 99",
                        "follow 50 of 100",
                        "ask",
                        "ask",
                        "write 900 rows up to 999",
                        "follow 50 of 1000",
                        "ask",
                        "ask");
        assertThat(report.rows()).extracting(row -> row.get(0)).containsExactly("100", "1,000");
        assertThat(report.soak()).isEmpty();
    }

    @Test
    void comparesTheLastSizeWithTheFirst() throws Exception {
        stack.rate = 1_000;
        stack.slowerEachTime = 0.5;
        stack.laterEachTime = 2;
        stack.memory = 900 * MEGABYTE;

        GrowthBenchmark.Growth report = run(Duration.ZERO);

        assertThat(report.trends())
                .containsExactly(
                        "catching up: 0.50 of the first rate",
                        "99th percentile of an answer: 4.00 times the first",
                        "memory of the worker: at most 900 MiB");
    }

    @Test
    void memoryThatGoesOnGrowingWhileItSoaksIsSeen() throws Exception {
        stack.memory = 100 * MEGABYTE;
        stack.memoryEachLook = 5 * MEGABYTE;

        GrowthBenchmark.Growth report = run(Duration.ofMinutes(1));

        assertThat(report.soak().orElseThrow().bytes()).hasSize(12);
        assertThat(report.trends())
                .last()
                .asString()
                .contains("over 1 minutes")
                .contains("160 MiB in the second third", "180 MiB in the last");
    }

    private GrowthBenchmark.Growth run(Duration soak) throws Exception {
        GrowthBenchmark.GrowthSize size =
                new GrowthBenchmark.GrowthSize(List.of(100, 1_000), 50, 1, Duration.ofSeconds(1), soak);
        return new GrowthBenchmark.GrowthRun(size, stack, clock, line -> {}).run();
    }

    /** Does nothing, remembers it, and gives the numbers that a test wants. */
    private final class ScriptedStack implements GrowthBenchmark.GrowingStack {
        private final List<String> done = new ArrayList<>();
        private double rate = 1_000;
        private double slowerEachTime = 1;
        private double late = 1;
        private double laterEachTime = 1;
        private long memory = 100 * MEGABYTE;
        private long memoryEachLook;

        @Override
        public void write(Stream<CustomerRow> rows) {
            List<CustomerRow> all = rows.toList();
            done.add("write " + all.size() + " rows up to "
                    + all.stream().mapToInt(CustomerRow::id).max().orElse(-1));
        }

        @Override
        public double follow(Stream<CustomerRow> rows, int changes) {
            int most = rows.mapToInt(CustomerRow::id).max().orElse(0);
            done.add("follow " + changes + " of " + (most < 100 ? 100 : 1_000));
            double now = rate;
            rate *= slowerEachTime;
            return now;
        }

        @Override
        public WrkTool.WrkOutput query(Duration time) {
            done.add("ask");
            clock.advance(Duration.ofSeconds(5));
            late *= laterEachTime;
            return new WrkTool.WrkOutput(100, late, late);
        }

        @Override
        public long residentBytes() {
            memory += memoryEachLook;
            return memory;
        }
    }
}
