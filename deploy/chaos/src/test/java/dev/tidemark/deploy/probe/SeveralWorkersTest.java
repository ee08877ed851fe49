package dev.tidemark.deploy.probe;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static dev.tidemark.deploy.probe.JudgeScript.at;
import static org.assertj.core.api.Assertions.assertThat;

/** Two workers, each with some of the two partitions. */
class SeveralWorkersTest {
    private final JudgeScript script = new JudgeScript(2);

    @Test
    void waitsForEveryWorkerBeforeItCallsAChangeMissing() {
        script.write(0, 1, 0, 10).claim(Source.WRITER_FRESHNESS, 1_000, 1_005, 0);
        script.see(1_010, 1_020, 0, 0);
        assertThat(script.of(Source.WRITER_FRESHNESS).judged()).isZero();

        script.seeWithout(1, 1, 1_010, 1_030, 1, 0);
        assertThat(script.of(Source.WRITER_FRESHNESS).judged()).isEqualTo(1);
        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isZero();
    }

    @Test
    void takesTogetherWhatTheyShow() {
        script.write(0, 1, 0, 10)
                .write(1, 2, 0, 10)
                .claim(Source.WRITER_FRESHNESS, 1_000, 1_005, 0)
                .seeWithout(0, 1, 1_010, 1_020, 1, 0)
                .seeWithout(1, 0, 1_010, 1_020, 0, 2);

        assertThat(script.of(Source.WRITER_FRESHNESS).judged()).isEqualTo(1);
        assertThat(script.report().worstTruth()).isZero();
    }

    @Test
    void holdsAWorkerToThePartitionsThatItTellsOf() {
        script.write(0, 1, 0, 10).write(1, 2, 0, 10);
        claimOf(0, 0);
        claimOf(1, 0);
        script.seeWithout(0, 1, 1_010, 1_020, 1, 0).seeWithout(1, 0, 1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).judged()).isEqualTo(2);
        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isEqualTo(1);
    }

    @Test
    void waitsForAPartitionThatNobodyShows() {
        script.write(1, 1, 0, 10).claim(Source.WRITER_FRESHNESS, 1_000, 1_005, 0);
        script.seeWithout(0, 1, 1_010, 1_020, 0, 0).seeWithout(1, 1, 1_010, 1_020, 0, 0);
        assertThat(script.of(Source.WRITER_FRESHNESS).judged()).isZero();

        script.seeWithout(0, 0, 2_010, 2_020, 0, 0).seeWithout(1, 1, 2_010, 2_020, 0, 0);
        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isEqualTo(1);
    }

    @Test
    void holdsTheWriterToTheTruthWhenNobodyShowsAPartitionForLong() {
        script.write(1, 1, 0, 10)
                .seeWithout(0, 1, 20, 30, 0, 0)
                .seeWithout(1, 1, 20, 30, 0, 0)
                .claim(Source.WRITER_FRESHNESS, 1_000, 1_005, 0)
                .seeWithout(0, 1, 9_000, 9_010, 0, 0)
                .seeWithout(1, 1, 9_000, 9_010, 0, 0);
        script.judge.finish(at(9_020));

        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isEqualTo(1);
    }

    @Test
    void doesNotAccuseAWorkerWhosePartitionAnOlderCopyTookOver() {
        script.write(0, 1, 0, 10).seeWithout(0, 0, 100, 110, 0, 0).seeWithout(1, 1, 100, 110, 1, 0);
        script.write(0, 2, 200, 210);
        claimOf(0, 0.01);
        script.judge.queryUnanswered(1, at(1_020));
        script.see(1_030, 1_040, 0, 0);
        assertThat(script.of(Source.WORKER_FRESHNESS).notJudged()).isEqualTo(1);

        script.judge.claimed(new StalenessJudge.ReportedStaleness(
                Source.WORKER_FRESHNESS, Set.of(0), at(2_000), at(2_005), OptionalDouble.of(0.01)));
        script.see(2_010, 2_020, 0, 0).judge.queryUnanswered(1, at(2_010));
        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isEqualTo(1);
    }

    @Test
    void accusesNobodyByTheCopyBeforeTheOneOfAWorkerThatShowedNothing() {
        script.see(100, 110, 0, 0).judge.queryUnanswered(1, at(100));
        script.write(0, 1, 200, 210).judge.queryUnanswered(0, at(300));
        script.judge.queryUnanswered(1, at(300));
        claimOf(0, 0.01);
        script.claim(Source.WRITER_FRESHNESS, 1_000, 1_005, 0.01).judge.queryUnanswered(1, at(9_000));
        script.see(9_000, 9_010, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).notJudged()).isEqualTo(1);
        assertThat(script.of(Source.WRITER_FRESHNESS).notJudged()).isEqualTo(1);
        assertThat(script.report().lies()).isEmpty();
    }

    @Test
    void accusesNobodyByTheCopyBeforeTheOneOfAWorkerThatEnded() {
        script.write(0, 1, 0, 10).seeWithout(0, 1, 100, 110, 1, 0).seeWithout(1, 0, 100, 110, 0, 0);
        script.write(0, 2, 200, 210).claim(Source.WRITER_FRESHNESS, 1_000, 1_005, 0);
        script.judge.queryUnanswered(1, at(1_010));
        script.see(1_030, 1_040, 1, 0);

        assertThat(script.of(Source.WRITER_FRESHNESS).notJudged()).isEqualTo(1);
        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isZero();
    }

    @Test
    void goesOnWhenOneOfThemIsGone() {
        script.write(0, 1, 0, 10).claim(Source.WRITER_FRESHNESS, 1_000, 1_005, 0);
        script.see(1_010, 1_020, 0, 0).judge.queryUnanswered(1, at(1_010));

        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isEqualTo(1);
        assertThat(script.of(Source.ANSWER).unanswered()).isEqualTo(1);
    }

    @Test
    void judgesAnAnswerByThePartitionsThatItShows() {
        script.write(0, 1, 0, 10).write(1, 2, 0, 10);
        script.judge.saw(new StalenessJudge.Observation(
                0,
                at(1_010),
                at(1_020),
                List.of(JudgeScript.version(1), JudgeScript.version(0)),
                Set.of(1),
                OptionalDouble.of(0),
                Optional.empty()));

        assertThat(script.of(Source.ANSWER).judged()).isEqualTo(1);
        assertThat(script.of(Source.ANSWER).underReported()).isZero();
    }

    private void claimOf(int partition, double seconds) {
        script.judge.claimed(new StalenessJudge.ReportedStaleness(
                Source.WORKER_FRESHNESS, Set.of(partition), at(1_000), at(1_005), OptionalDouble.of(seconds)));
    }
}
