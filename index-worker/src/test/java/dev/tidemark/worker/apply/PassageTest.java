package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.Handover;

import static org.assertj.core.api.Assertions.assertThat;

class PassageTest {
    private static final Instant COMMIT = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void eachStageBeginsWhereTheOneBeforeEnds() {
        Passage passage = Passage.of(3, COMMIT, new Handover(2_000, 5_000), at(9), at(10), at(14));
        assertThat(passage).isEqualTo(new Passage(3, millis(2), millis(3), millis(4), millis(1), millis(4)));
        assertThat(Arrays.stream(Stage.values()).map(passage::in))
                .containsExactly(millis(2), millis(3), millis(4), millis(1), millis(4));
        assertThat(passage.total()).isEqualTo(millis(14));
    }

    @Test
    void whatTheWriterDoesNotSayIsCountedToKafka() {
        Passage passage = Passage.of(1, COMMIT, Handover.UNKNOWN, at(9), at(10), at(14));
        assertThat(passage).isEqualTo(new Passage(1, Duration.ZERO, Duration.ZERO, millis(9), millis(1), millis(4)));
    }

    @Test
    void aWorkerWhoseClockIsBehindTakesNoTimeRatherThanLess() {
        Passage passage = Passage.of(1, COMMIT, new Handover(2_000, 5_000), at(-9), at(-8), at(-4));
        assertThat(passage.total()).isZero();
        passage = Passage.of(1, COMMIT, new Handover(2_000, 5_000), at(1), at(3), at(4));
        assertThat(passage)
                .isEqualTo(new Passage(1, millis(2), millis(2), Duration.ZERO, Duration.ZERO, Duration.ZERO));
    }

    @RepeatedTest(200)
    void theStagesAddUpWhateverTheClocksSay(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        Instant visible = at(random.nextInt(-5, 40));
        Passage passage = Passage.of(
                1,
                COMMIT,
                new Handover(random.nextInt(-3_000, 30_000), random.nextInt(-3_000, 30_000)),
                at(random.nextInt(-5, 40)),
                at(random.nextInt(-5, 40)),
                visible);
        Duration sum = Duration.ZERO;
        for (Stage stage : Stage.values()) {
            assertThat(passage.in(stage)).isGreaterThanOrEqualTo(Duration.ZERO);
            sum = sum.plus(passage.in(stage));
        }
        assertThat(sum)
                .isEqualTo(passage.total())
                .isEqualTo(visible.isAfter(COMMIT) ? Duration.between(COMMIT, visible) : Duration.ZERO);
    }

    private static Instant at(long millis) {
        return COMMIT.plusMillis(millis);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
