package dev.tidemark.checksum;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class ChecksumScanAgentTest {
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final ManualClock clock = new ManualClock();
    private final ChecksumScanTotals totals = new ChecksumScanTotals();
    private final Files files = new Files();
    private final ChecksumScanAgent agent = agent(1_000);

    @Test
    void keepsToItsBytesASecondOverFilesOfAnySize() {
        files.bytes.put(Path.of("a"), 500L);
        files.bytes.put(Path.of("b"), 4_000L);
        files.bytes.put(Path.of("c"), 1L);

        Instant begun = clock.instant();
        while (totals.lastPass().equals(Instant.MIN)) {
            agent.doWork();
            clock.advance(Duration.ofMillis(10));
        }

        assertThat(files.looked).containsExactly("a", "b", "c");
        assertThat(totals.bytes()).isEqualTo(4_501);
        assertThat(Duration.between(begun, clock.instant()))
                .isBetween(Duration.ofMillis(4_500), Duration.ofMillis(4_600));
    }

    @Test
    void beginsTheNextPassAfterTheInterval() {
        files.bytes.put(Path.of("a"), 1L);
        run(Duration.ofMinutes(59));
        assertThat(files.looked).containsExactly("a");

        run(Duration.ofMinutes(2));

        assertThat(files.looked).containsExactly("a", "a");
    }

    @Test
    void looksAgainSoonWhereThereWasNothingAndCountsNoPassUntilThen() {
        run(Duration.ofMinutes(1));
        assertThat(totals.lastPass()).isEqualTo(Instant.MIN);

        files.bytes.put(Path.of("a"), 1L);
        run(Duration.ofMinutes(1));

        assertThat(files.looked).containsExactly("a");
        assertThat(totals.lastPass()).isAfter(Instant.MIN);
    }

    @Test
    void tellsOfDamageAndGoesOn() {
        files.bytes.put(Path.of("a"), 1L);
        files.bytes.put(Path.of("b"), 1L);
        files.broken.add(Path.of("a"));

        run(Duration.ofMinutes(1));

        assertThat(files.told).containsExactly("a is broken");
        assertThat(files.looked).containsExactly("a", "b");
        assertThat(totals.damages()).isEqualTo(1);
    }

    @Test
    void looksAtNothingWhereItMayNot() {
        files.bytes.put(Path.of("a"), 1L);
        ChecksumScanAgent idle = agent(0);

        for (int i = 0; i < 100; i++) {
            idle.doWork();
            clock.advance(INTERVAL);
        }

        assertThat(files.looked).isEmpty();
    }

    private ChecksumScanAgent agent(long bytesPerSecond) {
        return new ChecksumScanAgent(
                () -> List.of(files), new ChecksumScanSettings(bytesPerSecond, INTERVAL), totals, clock);
    }

    private void run(Duration time) {
        Instant end = clock.instant().plus(time);
        while (clock.instant().isBefore(end)) {
            agent.doWork();
            clock.advance(Duration.ofSeconds(1));
        }
    }

    private static final class Files implements ChecksumScanTarget {
        private final Map<Path, Long> bytes = new TreeMap<>();
        private final List<Path> broken = new ArrayList<>();
        private final List<String> looked = new ArrayList<>();
        private final List<String> told = new ArrayList<>();

        @Override
        public Map<Path, Long> files() {
            return bytes;
        }

        @Override
        public Optional<String> look(Path file) {
            looked.add(file.toString());
            return broken.contains(file) ? Optional.of(file + " is broken") : Optional.empty();
        }

        @Override
        public void damaged(String what) {
            told.add(what);
        }
    }
}
