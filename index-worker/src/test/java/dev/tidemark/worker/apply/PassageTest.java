package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.Handover;

import static org.assertj.core.api.Assertions.assertThat;

class PassageTest {
    /** Just before a second is full, so that what follows falls into the next one. */
    private static final Instant COMMIT = Instant.parse("2026-01-01T00:00:00.995Z");

    private static final long MILLI = 1_000_000;

    @Test
    void eachStageBeginsWhereTheOneBeforeEnds() {
        Passage passage = Passage.of(3, COMMIT, new Handover(2_000, 5_000), at(9), at(10), at(14));
        assertThat(passage).isEqualTo(new Passage(3, 2 * MILLI, 3 * MILLI, 4 * MILLI, MILLI, 4 * MILLI));
        assertThat(passage.total()).isEqualTo(14 * MILLI);
    }

    @Test
    void whatTheWriterDoesNotSayIsCountedToKafka() {
        Passage passage = Passage.of(1, COMMIT, Handover.UNKNOWN, at(9), at(10), at(14));
        assertThat(passage).isEqualTo(new Passage(1, 0, 0, 9 * MILLI, MILLI, 4 * MILLI));
    }

    @Test
    void aWorkerWhoseClockIsBehindTakesNoTimeRatherThanLess() {
        Passage passage = Passage.of(1, COMMIT, new Handover(2_000, 5_000), at(-9), at(-8), at(-4));
        assertThat(passage.total()).isZero();
        passage = Passage.of(1, COMMIT, new Handover(2_000, 5_000), at(1), at(3), at(4));
        assertThat(passage).isEqualTo(new Passage(1, 2 * MILLI, 2 * MILLI, 0, 0, 0));
    }

    @Test
    void aCommitTimeThatCannotBeIsNotCountedAsLongerThanTenYears() {
        Passage passage = Passage.of(1, Instant.MIN, Handover.UNKNOWN, at(9), at(10), at(14));
        assertThat(Duration.ofNanos(passage.total())).isBetween(Duration.ofDays(3_650), Duration.ofDays(3_651));
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
        List<Long> stages =
                List.of(passage.committer(), passage.outbox(), passage.kafka(), passage.queue(), passage.apply());
        assertThat(stages).allMatch(nanos -> nanos >= 0);
        long sum = stages.stream().mapToLong(Long::longValue).sum();
        assertThat(sum)
                .isEqualTo(passage.total())
                .isEqualTo(
                        visible.isAfter(COMMIT)
                                ? Duration.between(COMMIT, visible).toNanos()
                                : 0);
    }

    private static Instant at(long millis) {
        return COMMIT.plusMillis(millis);
    }
}
