package dev.tidemark.deploy.probe;

import java.util.Optional;
import java.util.OptionalDouble;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.tidemark.deploy.probe.JudgeScript.at;
import static org.assertj.core.api.Assertions.assertThat;

/** A watermark is a time of the writer's clock, wherever that clock stands. */
class WatermarkJudgeTest {
    private static final int HOUR = 3_600_000;

    private final JudgeScript script = new JudgeScript();

    @ParameterizedTest
    @ValueSource(ints = {0, HOUR, -HOUR})
    void catchesAnAnswerThatIsCompleteUpToATimeWhenSomethingIsMissing(int ahead) {
        script.clock(0, 2, ahead).write(0, 1, 0, 500);
        see(1_000, 1_010, 700 + ahead, 0);
        script.clock(1_020, 1_022, ahead);

        assertThat(script.of(Source.COMPLETE_UP_TO).underReported()).isEqualTo(1);
        assertThat(script.of(Source.ANSWER).underReported()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, HOUR, -HOUR})
    void acceptsAnAnswerThatIsCompleteUpToJustBeforeWhatIsMissing(int ahead) {
        script.clock(0, 2, ahead).write(0, 1, 0, 500);
        see(1_000, 21_000, 499 + ahead, 0);
        script.clock(21_020, 21_022, ahead);

        assertThat(script.of(Source.COMPLETE_UP_TO).underReported()).isZero();
        assertThat(script.of(Source.COMPLETE_UP_TO).judged()).isEqualTo(1);
    }

    @Test
    void acceptsAWatermarkThatMovedWhileTheAnswerTookLong() {
        script.clock(0, 2, 0).write(0, 1, 0, 10);
        see(1_000, 21_000, 20_990, 1);
        script.clock(21_020, 21_022, 0);

        assertThat(script.of(Source.COMPLETE_UP_TO).underReported()).isZero();
    }

    @Test
    void doesNotAccuseWithinWhatTheReadingsLeaveOpen() {
        // The reading took two seconds, so nobody knows the writer's time better than that.
        script.judge.clockRead(at(0), at(2_000), at(2_000));
        script.write(0, 1, 2_000, 2_500);
        see(3_000, 3_010, 4_300, 0);
        script.judge.clockRead(at(3_020), at(5_020), at(5_020));

        assertThat(script.of(Source.COMPLETE_UP_TO).judged()).isEqualTo(1);
        assertThat(script.of(Source.COMPLETE_UP_TO).underReported()).isZero();
    }

    @Test
    void waitsUntilTheClockWasReadAfterTheAnswer() {
        script.clock(0, 2, 0).write(0, 1, 0, 500);
        see(1_000, 1_010, 700, 0);
        assertThat(script.of(Source.COMPLETE_UP_TO).judged()).isZero();

        script.clock(1_010, 1_012, 0);
        assertThat(script.of(Source.COMPLETE_UP_TO).underReported()).isEqualTo(1);
    }

    @Test
    void judgesByTheClockOfThatTimeWhenTheWriterStartedAgainOnAnother() {
        script.clock(0, 2, 0).clock(900, 902, 0).write(0, 1, 0, 500);
        see(1_000, 1_010, 700, 0);
        // Complete up to a time of the new clock, at which the first one had not come by far.
        see(2_100, 2_110, 1_950 + HOUR, 0);
        script.clock(1_900, 1_902, HOUR).clock(2_200, 2_202, HOUR);

        assertThat(script.of(Source.COMPLETE_UP_TO).judged()).isEqualTo(2);
        assertThat(script.of(Source.COMPLETE_UP_TO).underReported()).isEqualTo(2);
    }

    @Test
    void doesNotJudgeATimeAtWhichNobodyKnowsWhatTheClockShowed() {
        script.clock(0, 2, 0).write(0, 1, 0, 500);
        see(1_000, 1_010, 3_000, 0);
        script.clock(1_100, 1_102, HOUR);

        assertThat(script.of(Source.COMPLETE_UP_TO).notJudged()).isEqualTo(1);
        assertThat(script.of(Source.COMPLETE_UP_TO).underReported()).isZero();
    }

    @Test
    void saysThatItDoesNotJudgeWithoutTheClock() {
        script.write(0, 1, 0, 500);
        see(1_000, 1_010, 700, 0);
        script.judge.finish(at(2_000));

        assertThat(script.of(Source.COMPLETE_UP_TO).notJudged()).isEqualTo(1);
        assertThat(script.of(Source.COMPLETE_UP_TO).claims()).isEqualTo(1);
    }

    private void see(long asked, long answered, long completeUpTo, long version) {
        script.see(asked, answered, OptionalDouble.of(100), Optional.of(at(completeUpTo)), version, 0);
    }
}
