package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.PublishTimings;

import static org.assertj.core.api.Assertions.assertThat;

class StageLatencyTest {
    /** Just before a second is full, so that what follows falls into the next one. */
    private static final Instant COMMIT = Instant.parse("2026-01-01T00:00:00.995Z");

    private static final long MILLI = 1_000_000;

    @Test
    void eachStageBeginsWhereTheOneBeforeEnds() {
        StageLatency latency = StageLatency.of(COMMIT, new PublishTimings(2_000, 5_000), at(9), at(10), at(14));
        assertThat(latency).isEqualTo(new StageLatency(2 * MILLI, 3 * MILLI, 4 * MILLI, MILLI, 4 * MILLI));
        assertThat(latency.total()).isEqualTo(14 * MILLI);
    }

    @Test
    void whatTheWriterDoesNotSayIsCountedToKafka() {
        StageLatency latency = StageLatency.of(COMMIT, PublishTimings.UNKNOWN, at(9), at(10), at(14));
        assertThat(latency).isEqualTo(new StageLatency(0, 0, 9 * MILLI, MILLI, 4 * MILLI));
    }

    @Test
    void aWorkerWhoseClockIsBehindTakesNoTimeRatherThanLess() {
        StageLatency latency = StageLatency.of(COMMIT, new PublishTimings(2_000, 5_000), at(-9), at(-8), at(-4));
        assertThat(latency.total()).isZero();
        latency = StageLatency.of(COMMIT, new PublishTimings(2_000, 5_000), at(1), at(3), at(4));
        assertThat(latency).isEqualTo(new StageLatency(2 * MILLI, 2 * MILLI, 0, 0, 0));
    }

    @Test
    void aCommitTimeThatCannotBeIsNotCountedAsLongerThanTenYears() {
        StageLatency latency = StageLatency.of(Instant.MIN, PublishTimings.UNKNOWN, at(9), at(10), at(14));
        assertThat(Duration.ofNanos(latency.total())).isBetween(Duration.ofDays(3_650), Duration.ofDays(3_651));
    }

    @RepeatedTest(200)
    void theStagesAddUpWhateverTheClocksSay(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        Instant visible = at(random.nextInt(-5, 40));
        StageLatency latency = StageLatency.of(
                COMMIT,
                new PublishTimings(random.nextInt(-3_000, 30_000), random.nextInt(-3_000, 30_000)),
                at(random.nextInt(-5, 40)),
                at(random.nextInt(-5, 40)),
                visible);
        List<Long> stages =
                List.of(latency.committer(), latency.outbox(), latency.kafka(), latency.queue(), latency.apply());
        assertThat(stages).allMatch(nanos -> nanos >= 0);
        long sum = stages.stream().mapToLong(Long::longValue).sum();
        assertThat(sum)
                .isEqualTo(latency.total())
                .isEqualTo(
                        visible.isAfter(COMMIT)
                                ? Duration.between(COMMIT, visible).toNanos()
                                : 0);
    }

    @Test
    void aStageIsNamedInMetricsInSmallLetters() {
        assertThat(Stage.OUTBOX.label()).isEqualTo("outbox");
    }

    private static Instant at(long millis) {
        return COMMIT.plusMillis(millis);
    }
}
