package dev.tidemark.writer.lag;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.SourceMark;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.catalog.LogUnavailableException;

import static dev.tidemark.writer.testkit.TestTables.MOVIES;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class FreshnessWatchTest {
    private final ManualClock clock = new ManualClock();
    private final Map<String, WorkerProgressReader.Noted> noted = new TreeMap<>();
    private final WakeupSignal wakeUp = new WakeupSignal();
    private boolean down;
    private long epoch = 1;
    private final FreshnessWatch watch = new FreshnessWatch(this::notes, () -> epoch, clock, wakeUp);

    @Test
    void isUnknownUntilEveryPartitionHasANote() throws InterruptedException {
        note(0, 0);
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES))).isEmpty();

        note(1, 0);
        look();
        assertThat(watch.freshness(List.of(MOVIES))).isPresent();
    }

    @Test
    void theOldestPartitionCounts() throws InterruptedException {
        note(0, 3);
        note(1, 7);
        watch.agent().doWork();

        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(7));
        assertThat(watch.completeUpTo(List.of(MOVIES))).contains(clock.instant().minusSeconds(7));
    }

    @Test
    void growsWhileNoNoteComes() throws InterruptedException {
        note(0, 0);
        note(1, 0);
        watch.agent().doWork();
        clock.advance(Duration.ofSeconds(30));
        watch.agent().doWork();

        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(30));
    }

    @Test
    void growsWhileNotesCannotBeRead() throws InterruptedException {
        note(0, 0);
        note(1, 0);
        watch.agent().doWork();
        down = true;
        clock.advance(Duration.ofSeconds(30));
        watch.agent().doWork();

        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(30));
    }

    @Test
    void isUnknownAgainWhenAWorkerBeginsAnew() throws InterruptedException {
        note(0, 0);
        note(1, 0);
        watch.agent().doWork();
        withdraw("a", 1);
        look();

        assertThat(watch.freshness(List.of(MOVIES))).isEmpty();
    }

    @Test
    void theSlowestReplicaGroupCountsThatHasMembers() throws InterruptedException {
        note("a", true, 0, 1);
        note("a", true, 1, 1);
        note("b", true, 0, 9);
        note("b", true, 1, 2);
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(9));

        note("b", false, 0, 9);
        note("b", false, 1, 2);
        look();
        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(2));
    }

    @Test
    void aReplicaGroupThatIsBuiltFromNothingDoesNotCountBecauseItAnswersNothing() throws InterruptedException {
        note("a", true, 0, 1);
        note("a", true, 1, 1);
        noted.put(
                "b0", new WorkerProgressReader.Noted("b", true, "movies", 0, Optional.of(Progress.UNKNOWN), Set.of()));
        watch.agent().doWork();

        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(1));
    }

    @Test
    void aPartitionThatChangedItsWorkerIsUnknownWhateverOtherReplicaGroupsSay() throws InterruptedException {
        note("a", true, 0, 1);
        note("a", true, 1, 1);
        withdraw("b", 0);
        watch.agent().doWork();

        assertThat(watch.freshness(List.of(MOVIES))).isEmpty();
    }

    @Test
    void whileNoGroupHasMembersAllOfThemCount() throws InterruptedException {
        note("a", false, 0, 5);
        note("a", false, 1, 5);
        watch.agent().doWork();

        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(5));
    }

    @Tag("slow")
    @Test
    void readsTheNotesAtOnceForWhoeverAsks() {
        note(0, 0);
        note(1, 0);
        try (AgentRunner runner = AgentRunner.start(watch.agent(), Duration.ofMinutes(1), wakeUp)) {
            watch.look();
            // Partition 1 has moved to a worker that is not as far.
            note(1, 7);
            watch.look();

            assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(7));
            assertThat(runner.failure()).isEmpty();
        }
    }

    @Test
    void isUnknownWhereAWatermarkIsAheadOfTheClockWhichWentBackThen() throws InterruptedException {
        note(0, -5);
        note(1, 3);
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES))).isEmpty();
        assertThat(watch.completeUpTo(List.of(MOVIES))).isEmpty();

        clock.advance(Duration.ofSeconds(4));
        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(7));
    }

    @Test
    void isZeroWhereAWatermarkIsHardlyAheadOfTheClock() throws InterruptedException {
        note(0, -1);
        note(1, -1);
        watch.agent().doWork();

        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ZERO);
    }

    @Test
    void isUnknownUntilEveryPartitionHasHeardOfTheEpoch() throws InterruptedException {
        note(0, 3);
        note(1, 7);
        watch.agent().doWork();
        epoch = 2;
        assertThat(watch.freshness(List.of(MOVIES))).isEmpty();

        note(0, 1);
        look();
        assertThat(watch.freshness(List.of(MOVIES))).isEmpty();
        note(1, 1);
        look();
        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ofSeconds(3));
    }

    @Test
    void isUnknownWhereAWorkerAnswersThatKnowsNothingOfTheSource() throws InterruptedException {
        note(0, 0);
        note(1, 0);
        note("b", true, 0, 0);
        Progress unknown = Progress.UNKNOWN.after(
                new Heartbeat(clock.instant(), version(1)).with(new SourceMark(Optional.empty())));
        noted.put("b1", new WorkerProgressReader.Noted("b", true, "movies", 1, Optional.of(unknown), Set.of()));
        watch.agent().doWork();

        assertThat(watch.freshness(List.of(MOVIES))).isEmpty();
    }

    private void look() throws InterruptedException {
        clock.advance(Duration.ofSeconds(1));
        watch.agent().doWork();
    }

    private void note(int partition, long secondsAgo) {
        note("a", true, partition, secondsAgo);
    }

    private void note(String group, boolean live, int partition, long secondsAgo) {
        Progress progress = new Progress(clock.instant().minusSeconds(secondsAgo), new RowVersion(epoch, 1));
        noted.put(
                group + partition,
                new WorkerProgressReader.Noted(group, live, "movies", partition, Optional.of(progress), Set.of()));
    }

    private void withdraw(String group, int partition) {
        noted.put(
                group + partition,
                new WorkerProgressReader.Noted(group, true, "movies", partition, Optional.empty(), Set.of()));
    }

    private List<WorkerProgressReader.Noted> notes() throws LogUnavailableException {
        if (down) {
            throw new LogUnavailableException("down", new IllegalStateException("down"));
        }
        return List.copyOf(noted.values());
    }
}
