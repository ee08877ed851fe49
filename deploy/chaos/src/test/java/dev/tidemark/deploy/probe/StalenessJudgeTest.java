package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static dev.tidemark.deploy.probe.JudgeScript.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class StalenessJudgeTest {
    private final JudgeScript script = new JudgeScript();

    @Test
    void catchesAMetricThatSaysZeroWhileAChangeIsMissing() {
        script.write(0, 1, 0, 10)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_005, 0)
                .see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isEqualTo(1);
        ProbeReport.UnderReport underReport = script.report().lies().get(0);
        assertThat(underReport.truth()).isCloseTo(0.99, within(1e-9));
        assertThat(underReport.said()).isZero();
        assertThat(underReport.at()).isEqualTo(Duration.ofSeconds(1));
        assertThat(underReport.missing().version()).isEqualTo(JudgeScript.version(1));
    }

    @Test
    void acceptsAMetricThatSaysTheTruth() {
        script.write(0, 1, 0, 10)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_005, 0.995)
                .see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).judged()).isEqualTo(1);
        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
        assertThat(script.report().worstTruth()).isCloseTo(0.99, within(1e-9));
    }

    @Test
    void toleratesOneSamplingPeriodAndNotMore() {
        script.write(0, 1, 0, 0)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_001, 0.900)
                .claim(Source.LAG_API, 1_000, 1_001, 0.899)
                .see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
        assertThat(script.of(Source.LAG_API).underReported()).isEqualTo(1);
        assertThat(script.of(Source.LAG_API).difference().min().orElseThrow()).isCloseTo(-0.101, within(1e-9));
    }

    @Test
    void allowsALagThatHeartbeatsSampleItsOwnPeriod() {
        script.write(0, 1, 0, 0).claimOf(0, 300, 301, 0).claimOf(0, 302, 303, 0).see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_LAG).allowance()).isEqualTo(Duration.ofMillis(300));
        assertThat(script.of(Source.WORKER_LAG).judged()).isEqualTo(2);
        assertThat(script.of(Source.WORKER_LAG).underReported()).isEqualTo(1);
    }

    @Test
    void judgesNothingAboutSomePartitionsWhileAnswersComeFromOthers() {
        script.write(0, 1, 0, 0).claimOf(0, 1_000, 1_001, 0);
        script.judge.moved(true);
        script.claimOf(0, 1_002, 1_003, 0)
                .claim(Source.WORKER_FRESHNESS, 1_002, 1_003, 0)
                .see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_LAG).judged()).isZero();
        assertThat(script.of(Source.WORKER_LAG).notJudged()).isEqualTo(2);
        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isEqualTo(1);

        script.judge.moved(false);
        script.claimOf(0, 1_030, 1_031, 0).see(1_040, 1_050, 0, 0);
        assertThat(script.of(Source.WORKER_LAG).underReported()).isEqualTo(1);
    }

    @Test
    void countsAWriteFromItsAcknowledgementOnly() {
        // Committed at any moment from 0 to 900: only 100 ms of staleness are certain.
        script.write(0, 1, 0, 900)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_001, 0.01)
                .see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
    }

    @Test
    void ignoresAWriteThatWasAcknowledgedAfterTheQuestion() {
        script.write(0, 1, 0, 1_002)
                .claim(Source.WORKER_FRESHNESS, 1_000, 5_000, 0)
                .see(5_010, 5_020, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
        assertThat(script.report().worstTruth()).isZero();
    }

    @Test
    void holdsASlowAnswerAgainstTheMomentOfItsQuestion() {
        // At 1,000 the truth was 0.9 s; what the service said can have been true then.
        script.write(0, 1, 0, 100)
                .claim(Source.WORKER_FRESHNESS, 1_000, 20_000, 0.9)
                .see(20_010, 20_020, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
    }

    @Test
    void doesNotAccuseWhenTheChangeMayHaveBecomeVisibleBeforeTheClaim() {
        // Missing at 900, visible at 1,010: nobody knows about 1,000.
        script.write(0, 1, 0, 10)
                .see(900, 905, 0, 0)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_005, 0)
                .see(1_010, 1_020, 1, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).judged()).isEqualTo(1);
        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
    }

    @Test
    void waitsForAQueryThatWasSentAfterTheClaim() {
        script.write(0, 1, 0, 10)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_005, 0)
                .see(1_004, 1_020, 0, 0);
        assertThat(script.of(Source.WORKER_FRESHNESS).judged()).isZero();

        script.see(1_005, 1_030, 0, 0);
        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isEqualTo(1);
    }

    @Test
    void doesNotCallMissingWhatAnEarlierAnswerShowed() {
        script.write(0, 1, 0, 10)
                .see(100, 110, 1, 0)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_005, 0)
                .see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
        assertThat(script.report().wentBack()).isEqualTo(1);
    }

    @Test
    void judgesAnAnswerThatWentBackByWhatItShows() {
        script.write(0, 1, 0, 10).see(100, 110, 1, 0).see(1_010, 1_020, OptionalDouble.of(0), Optional.empty(), 0, 0);

        assertThat(script.of(Source.ANSWER).underReported()).isEqualTo(1);
    }

    @Test
    void takesTheWorstPartition() {
        script.write(0, 1, 0, 10)
                .write(1, 2, 0, 10)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_005, 0.2)
                .see(1_010, 1_020, 1, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isEqualTo(1);
        assertThat(script.report().lies().get(0).missing().partition()).isEqualTo(1);
    }

    @Test
    void judgesEachPartitionForItself() {
        script.write(0, 1, 0, 10)
                .write(1, 2, 0, 10)
                .claimOf(0, 1_000, 1_005, 0)
                .claimOf(1, 1_000, 1_005, 0)
                .see(1_010, 1_020, 1, 0);

        assertThat(script.of(Source.WORKER_LAG).judged()).isEqualTo(2);
        assertThat(script.of(Source.WORKER_LAG).underReported()).isEqualTo(1);
    }

    @Test
    void doesNotJudgeAPartitionThatIsNotThere() {
        script.claimOf(7, 1_000, 1_005, 0).see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WORKER_LAG).notJudged()).isEqualTo(1);
    }

    @Test
    void countsUnknownAsHonest() {
        script.write(0, 1, 0, 10);
        script.judge.claimed(new StalenessJudge.ReportedStaleness(
                Source.WRITER_FRESHNESS, Set.of(), at(1_000), at(1_005), OptionalDouble.empty()));
        script.see(1_010, 1_020, 0, 0);

        assertThat(script.of(Source.WRITER_FRESHNESS).unknown()).isEqualTo(1);
        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isZero();
        assertThat(script.of(Source.ANSWER).unknown()).isEqualTo(1);
    }

    @Test
    void doesNotOweWritesWithoutAnAnswer() {
        // Version 1 timed out and is not in the ledger; the later one is visible.
        script.write(0, 2, 100, 110)
                .see(200, 210, 2, 0)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_005, 0)
                .see(1_010, 1_020, 2, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
    }

    @Test
    void acceptsAStragglerThatReplacedANewerValue() {
        // A write that timed out is committed after its successor, with version 3.
        script.write(0, 2, 100, 110)
                .claim(Source.WORKER_FRESHNESS, 1_000, 1_005, 0)
                .see(1_010, 1_020, 3, 0);

        assertThat(script.of(Source.WORKER_FRESHNESS).underReported()).isZero();
        assertThat(script.report().visibility().count()).isEqualTo(1);
    }

    @Test
    void holdsTheWriterToTheTruthWhenTheWorkerIsGoneForGood() {
        script.write(0, 1, 0, 10)
                .see(20, 30, 0, 0)
                .claim(Source.WRITER_FRESHNESS, 3_000, 3_005, 0.05)
                .claim(Source.WRITER_FRESHNESS, 4_000, 4_005, 4.2);
        script.judge.queryUnanswered(0, at(40));
        script.judge.finish(at(10_000));

        assertThat(script.of(Source.WRITER_FRESHNESS).judged()).isEqualTo(2);
        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isEqualTo(1);
    }

    @Test
    void doesNotJudgeFromAShortSilence() {
        script.write(0, 1, 0, 10).see(20, 30, 0, 0).claim(Source.WRITER_FRESHNESS, 3_000, 3_005, 0.05);
        script.judge.queryUnanswered(0, at(40));
        script.judge.finish(at(4_000));

        assertThat(script.of(Source.WRITER_FRESHNESS).notJudged()).isEqualTo(1);
    }

    @Test
    void doesNotJudgeTheLastClaimsOfAWorkerThatAnswers() {
        script.write(0, 1, 0, 10).see(20, 30, 0, 0).claim(Source.WRITER_FRESHNESS, 30_000, 30_005, 0.05);
        script.judge.finish(at(60_000));

        assertThat(script.of(Source.WRITER_FRESHNESS).notJudged()).isEqualTo(1);
    }

    @Test
    void doesNotJudgeASilenceThatEndedWithEverythingVisible() {
        // Away from 40 to 9,000; whether the index was caught up at 3,000 nobody knows.
        script.write(0, 1, 0, 10)
                .see(20, 30, 0, 0)
                .claim(Source.WRITER_FRESHNESS, 3_000, 3_005, 0.05)
                .see(9_000, 9_010, 1, 0);

        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isZero();
    }

    @Test
    void judgesASilenceThatEndedWithTheChangeStillMissing() {
        script.write(0, 1, 0, 10)
                .see(20, 30, 0, 0)
                .claim(Source.WRITER_FRESHNESS, 3_000, 3_005, 0.05)
                .see(9_000, 9_010, 0, 0);

        assertThat(script.of(Source.WRITER_FRESHNESS).underReported()).isEqualTo(1);
    }

    @Test
    void catchesAnAnswerThatSaysItIsFresherThanItIs() {
        script.write(0, 1, 0, 10).see(1_000, 1_010, OptionalDouble.of(0.3), Optional.empty(), 0, 0);

        assertThat(script.of(Source.ANSWER).underReported()).isEqualTo(1);
    }

    @Test
    void measuresVisibilityFromAcknowledgementToTheFirstAnswerWithTheChange() {
        script.write(0, 1, 0, 10)
                .write(0, 2, 100, 110)
                .see(50, 60, 0, 0)
                .see(200, 210, 2, 0)
                .see(300, 310, 2, 0);

        assertThat(script.report().visibility().count()).isEqualTo(2);
        assertThat(script.report().visibility().max().orElseThrow()).isCloseTo(0.2, within(1e-9));
        assertThat(script.report().visibility().min().orElseThrow()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void countsAChangeThatWasVisibleBeforeItsAcknowledgementAsVisibleAtOnce() {
        script.see(50, 60, 1, 0).write(0, 1, 0, 70);

        assertThat(script.report().visibility().max().orElseThrow()).isZero();
    }

    @Test
    void saysHowManyQuestionsHadNoAnswer() {
        script.judge.unanswered(Source.LAG_API);

        assertThat(script.of(Source.LAG_API).unanswered()).isEqualTo(1);
        assertThat(script.of(Source.LAG_API).claims()).isZero();
    }

    @Test
    void showsTheFirstLiesOfEachSource() {
        script.write(0, 1, 0, 0);
        for (int i = 0; i < 20; i++) {
            script.claim(Source.WORKER_FRESHNESS, 1_000 + i, 1_000 + i, 0);
        }
        script.claim(Source.WRITER_FRESHNESS, 2_000, 2_000, 0).see(2_010, 2_020, 0, 0);

        assertThat(script.report().lies())
                .hasSize(11)
                .extracting(ProbeReport.UnderReport::source)
                .contains(Source.WRITER_FRESHNESS);
    }

    @Test
    void keepsABoundedNumberOfClaimsWaiting() {
        for (int i = 0; i < StalenessJudge.MAX_PENDING + 5; i++) {
            script.claim(Source.LAG_API, i, i, 0);
        }

        assertThat(script.of(Source.LAG_API).notJudged()).isEqualTo(5);
    }
}
