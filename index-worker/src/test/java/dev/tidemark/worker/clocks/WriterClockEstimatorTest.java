package dev.tidemark.worker.clocks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

class WriterClockEstimatorTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration DRIFT = Duration.ofMillis(10);

    private final WriterClockEstimator estimate = new WriterClockEstimator(START);

    @Test
    void knowsNothingBeforeTheFirstAnswer() {
        assertThat(estimate.isKnown()).isFalse();
        assertThat(estimate.skew()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_600_000, -3_600_000})
    void takesTheBoundThatMakesAgesLarger(long ahead) {
        answer(1_000, 1_040, ahead + 1_020, "a");

        assertThat(estimate.isKnown()).isTrue();
        assertThat(offset(1_040))
                .isBetween(millis(ahead + 20), millis(ahead + 20).plus(DRIFT));
        assertThat(estimate.skew()).contains(millis(ahead));
    }

    @Test
    void whatIsMeasuredIsNotMadeLongerByTheRoundTrip() {
        assertThat(estimate.likely(local(900))).isEqualTo(estimate.at(local(900)));

        answer(1_000, 1_040, 61_020, "a");

        assertThat(estimate.likely(local(1_040))).isEqualTo(local(61_040));
        assertThat(estimate.at(local(1_040))).isAfterOrEqualTo(local(61_060));
    }

    @Test
    void theQuickestOfTheRecentAnswersCounts() {
        answer(1_000, 1_400, 61_300, "a");
        answer(3_000, 3_002, 63_001, "a");
        answer(5_000, 5_900, 65_800, "a");

        assertThat(offset(6_000)).isBetween(millis(60_001), millis(60_001).plus(DRIFT));
    }

    @Test
    void oldAnswersAreForgottenBecauseClocksDrift() {
        answer(0, 1, 60_000, "a");
        for (int i = 1; i <= 8; i++) {
            answer(i * 2_000L, i * 2_000L + 50, i * 2_000L + 60_075, "a");
        }

        assertThat(offset(16_050)).isGreaterThanOrEqualTo(millis(60_075));
    }

    @Test
    void theBoundWidensAsTheClocksMayDrift() {
        answer(0, 0, 0, "a");

        assertThat(offset(3_600_000)).isBetween(millis(360), Duration.ofSeconds(4));
    }

    @Test
    void anotherRunOfTheWriterMakesOldAnswersWorthless() {
        answer(1_000, 1_002, 1_001, "a");
        answer(3_000, 3_030, 3_603_015, "b");

        assertThat(offset(3_030)).isGreaterThanOrEqualTo(millis(3_600_015));

        answer(5_000, 5_030, 5_015, "c");

        assertThat(offset(5_030)).isBetween(millis(15), millis(15).plus(DRIFT));
    }

    @Test
    void anotherRunOfTheWriterWhoseClockIsBehindCountsOnceItSaysOfWhichEpochItIs() {
        answer(1_000, 1_002, 3_601_001, "a");
        answerOfNoEpoch(3_000, 3_030, 3_015, "b");

        assertThat(offset(3_030)).isGreaterThanOrEqualTo(millis(3_600_000));

        answer(5_000, 5_030, 5_015, "b");

        assertThat(offset(5_030)).isBetween(millis(15), millis(15).plus(DRIFT));
    }

    @Test
    void aWriterThatWasReplacedAndDoesNotKnowItYetMakesNoAgeSmaller() {
        answer(1_000, 1_002, 1_001, "a");
        answer(5_000, 5_002, 3_605_001, "b");
        Optional<CommitBound> longAgo = Optional.of(new CommitBound(local(1_000), RowVersion.NONE));
        estimate.answered(new ClockReading(local(9_000), local(9_002), local(9_001), "a", longAgo));

        assertThat(offset(9_002)).isGreaterThanOrEqualTo(millis(3_600_000));
    }

    @Test
    void anotherRunOfTheWriterWhoseClockIsAheadCountsAtOnce() {
        answer(1_000, 1_002, 1_001, "a");
        answerOfNoEpoch(3_000, 3_030, 3_603_015, "b");

        assertThat(offset(3_030)).isGreaterThanOrEqualTo(millis(3_600_015));
    }

    @Test
    void aWriterWhoseClockMovesOnAfterASuspensionIsBelievedAtOnce() {
        answer(1_000, 1_002, 1_001, "a");
        answer(3_000, 3_030, 3_603_015, "a");

        assertThat(offset(3_030)).isGreaterThanOrEqualTo(millis(3_600_015));
    }

    @Test
    void aTimeFromTheFutureIsNoYoungerThanTheLastAnswerLeavesRoomFor() {
        answer(1_000, 1_002, 1_001, "a");

        // Stamped an hour ahead, at any moment after the answer.
        estimate.seen(local(3_603_000), local(9_000));

        assertThat(estimate.isInDoubt()).isTrue();
        assertThat(Duration.between(local(3_603_000), estimate.at(local(9_000))))
                .isEqualTo(millis(8_000));
        assertThat(estimate.isKnown()).isTrue();

        answer(9_100, 9_110, 3_609_105, "b");

        assertThat(estimate.isInDoubt()).isFalse();
        assertThat(Duration.between(local(3_603_000), estimate.at(local(9_110))))
                .isBetween(millis(6_110), millis(6_130));
    }

    @Test
    void aTimeOfThePastProvesNothing() {
        answer(1_000, 1_002, 1_001, "a");
        Instant before = estimate.at(local(2_000));

        estimate.seen(local(2_000), local(2_000));

        assertThat(estimate.isInDoubt()).isFalse();
        assertThat(estimate.at(local(2_000))).isEqualTo(before);
    }

    @Test
    void withoutAnyAnswerClocksAreTakenToBeTheSameAfterAWhile() {
        askInVain(10);
        estimate.unanswered(local(9_999));
        assertThat(estimate.isKnown()).isFalse();

        estimate.unanswered(local(10_000));

        assertThat(estimate.isKnown()).isTrue();
        assertThat(estimate.at(local(10_001))).isEqualTo(local(10_001));
    }

    @Test
    void timeInWhichNobodyAskedIsNotTheWritersSilence() {
        estimate.unanswered(local(0));
        estimate.unanswered(local(3_600_000));

        assertThat(estimate.isKnown()).isFalse();

        answer(3_600_000, 3_600_002, 7_200_001, "a");

        assertThat(estimate.skew()).contains(Duration.ofHours(1));
    }

    @Test
    void withoutAnyAnswerASmallDifferenceIsMadeUpFor() {
        askInVain(20);
        estimate.seen(local(20_400), local(20_000));

        assertThat(estimate.isKnown()).isTrue();
        assertThat(estimate.at(local(20_000))).isEqualTo(local(20_400));
        assertThat(estimate.skew()).contains(millis(400));
    }

    @Test
    void withoutAnyAnswerALargeDifferenceLeavesAgesUnknown() {
        askInVain(20);
        estimate.seen(local(3_620_000), local(20_000));

        assertThat(estimate.isKnown()).isFalse();
        assertThat(estimate.skew()).contains(Duration.ofHours(1));

        answer(21_000, 21_002, 3_621_001, "a");

        assertThat(estimate.isKnown()).isTrue();
    }

    @Test
    void recordsAreBelievedUpToASecondBeyondWhatIsKnownOfTheClock() {
        assertThat(estimate.latest(local(5_000))).isEqualTo(local(6_000));

        answer(5_000, 5_020, 65_010, "a");

        assertThat(estimate.latest(local(5_020))).isBetween(local(66_020), local(66_040));
    }

    @Test
    void timesOfRecordsDoNotMoveTheBoundForTheNext() {
        answer(1_000, 1_002, 1_001, "a");
        Instant before = estimate.latest(local(2_000));

        estimate.seen(before, local(2_000));

        assertThat(estimate.latest(local(2_000))).isEqualTo(before);
    }

    @Test
    void anotherAnswerIsWantedSoonAfterARecordThatWasNotBelieved() {
        answer(1_000, 1_002, 1_001, "a");
        assertThat(estimate.isInDoubt()).isFalse();

        estimate.doubt();

        assertThat(estimate.isInDoubt()).isTrue();
        assertThat(estimate.isKnown()).isTrue();
        assertThat(offset(1_002)).isLessThan(millis(20));
        answer(1_200, 1_202, 1_201, "a");
        assertThat(estimate.isInDoubt()).isFalse();
    }

    /** Asks once a second, for so many seconds without the last. */
    private void askInVain(int seconds) {
        for (int i = 0; i < seconds; i++) {
            estimate.unanswered(local(i * 1_000L));
        }
    }

    private void answerOfNoEpoch(long sent, long received, long writer, String process) {
        estimate.answered(new ClockReading(local(sent), local(received), local(writer), process, Optional.empty()));
    }

    private void answer(long sent, long received, long writer, String process) {
        Optional<CommitBound> given = Optional.of(new CommitBound(local(sent), RowVersion.NONE));
        estimate.answered(new ClockReading(local(sent), local(received), local(writer), process, given));
    }

    private Duration offset(long local) {
        return Duration.between(local(local), estimate.at(local(local)));
    }

    private static Instant local(long millis) {
        return START.plusMillis(millis);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
