package dev.tidemark.writer.lag;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.progress.Progress;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.catalog.LogUnavailableException;

import static dev.tidemark.writer.testkit.TestTables.MOVIES;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class FreshnessWatchTest {
    private final ManualClock clock = new ManualClock();
    private final Map<Integer, Progress> movies = new HashMap<>();
    private final WakeupSignal wakeUp = new WakeupSignal();
    private boolean down;
    private final FreshnessWatch watch = new FreshnessWatch(List.of(MOVIES), this::notes, clock, wakeUp);

    @Test
    void isUnknownUntilEveryPartitionHasANote() throws InterruptedException {
        note(0, 0);
        watch.doWork();
        assertThat(watch.freshness(MOVIES)).isEmpty();

        note(1, 0);
        look();
        assertThat(watch.freshness(MOVIES)).isPresent();
    }

    @Test
    void theOldestPartitionCounts() throws InterruptedException {
        note(0, 3);
        note(1, 7);
        watch.doWork();

        assertThat(watch.freshness(MOVIES)).contains(Duration.ofSeconds(7));
        assertThat(watch.completeUpTo(MOVIES)).contains(clock.instant().minusSeconds(7));
    }

    @Test
    void growsWhileNoNoteComes() throws InterruptedException {
        note(0, 0);
        note(1, 0);
        watch.doWork();
        clock.advance(Duration.ofSeconds(30));
        watch.doWork();

        assertThat(watch.freshness(MOVIES)).contains(Duration.ofSeconds(30));
    }

    @Test
    void growsWhileNotesCannotBeRead() throws InterruptedException {
        note(0, 0);
        note(1, 0);
        watch.doWork();
        down = true;
        clock.advance(Duration.ofSeconds(30));
        watch.doWork();

        assertThat(watch.freshness(MOVIES)).contains(Duration.ofSeconds(30));
    }

    @Test
    void isUnknownAgainWhenAWorkerBeginsAnew() throws InterruptedException {
        note(0, 0);
        note(1, 0);
        watch.doWork();
        movies.remove(1);
        look();

        assertThat(watch.freshness(MOVIES)).isEmpty();
    }

    @Test
    void readsTheNotesAtOnceForWhoeverAsks() {
        note(0, 0);
        note(1, 0);
        try (AgentRunner runner = AgentRunner.start(watch, Duration.ofMinutes(1), wakeUp)) {
            watch.look();
            // Partition 1 has moved to a worker that is not as far.
            note(1, 7);
            watch.look();

            assertThat(watch.freshness(MOVIES)).contains(Duration.ofSeconds(7));
            assertThat(runner.failure()).isEmpty();
        }
    }

    @Test
    void isNeverNegative() throws InterruptedException {
        note(0, -5);
        note(1, -5);
        watch.doWork();

        assertThat(watch.freshness(MOVIES)).contains(Duration.ZERO);
    }

    private void look() throws InterruptedException {
        clock.advance(Duration.ofSeconds(1));
        watch.doWork();
    }

    private void note(int partition, long secondsAgo) {
        movies.put(partition, new Progress(clock.instant().minusSeconds(secondsAgo), version(1)));
    }

    private Map<String, Map<Integer, Progress>> notes() throws LogUnavailableException {
        if (down) {
            throw new LogUnavailableException("down", new IllegalStateException("down"));
        }
        return Map.of("movies", Map.copyOf(movies));
    }
}
