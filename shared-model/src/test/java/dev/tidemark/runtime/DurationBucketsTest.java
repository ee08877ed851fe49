package dev.tidemark.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DurationBucketsTest {
    private final DurationBuckets buckets =
            new DurationBuckets(List.of(Duration.ofNanos(10), Duration.ofNanos(20), Duration.ofNanos(40)));

    @Test
    void aBoundBelongsToTheBucketThatItEnds() {
        assertThat(counts(10)).containsExactly(1, 0, 0, 0);
        assertThat(counts(11)).containsExactly(0, 1, 0, 0);
        assertThat(counts(40)).containsExactly(0, 0, 1, 0);
        assertThat(counts(41)).containsExactly(0, 0, 0, 1);
        assertThat(counts(0, Long.MAX_VALUE)).containsExactly(1, 0, 0, 1);
    }

    @Test
    void whatIsEqualSideBySideIsKeptOnceAndCountedOften() {
        DurationCounts durations = new DurationCounts(1);
        durations.add(7, 2);
        durations.add(7, 3);
        durations.add(8, 1);
        durations.add(7, 1);
        assertThat(durations.size()).isEqualTo(3);
        assertThat(durations.each()).extracting(Duration::toNanos).containsExactly(7L, 7L, 7L, 7L, 7L, 8L, 7L);
    }

    @RepeatedTest(50)
    void theBucketDoesNotDependOnWhatCameBefore(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        DurationCounts together = new DurationCounts(4);
        long[] alone = new long[4];
        for (int i = 0; i < 20; i++) {
            long nanos = random.nextInt(50);
            together.add(nanos, 1);
            long[] one = counts(nanos);
            for (int bucket = 0; bucket < 4; bucket++) {
                alone[bucket] += one[bucket];
            }
        }
        long[] counts = new long[4];
        buckets.count(together, counts);
        assertThat(counts).isEqualTo(alone);
    }

    private long[] counts(long... nanos) {
        DurationCounts durations = new DurationCounts(nanos.length);
        for (long one : nanos) {
            durations.add(one, 1);
        }
        long[] counts = new long[buckets.count()];
        buckets.count(durations, counts);
        return counts;
    }
}
