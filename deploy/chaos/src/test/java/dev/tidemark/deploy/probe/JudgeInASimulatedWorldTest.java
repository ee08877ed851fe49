package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.row.RowVersion;

import static dev.tidemark.deploy.probe.JudgeScript.at;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A world in which the real staleness is known exactly: writes are committed somewhere between invocation and
 * acknowledgement, an index follows with pauses, answers come at random speed. An honest source must never be accused,
 * a lying one must be caught.
 */
@Tag("slow")
class JudgeInASimulatedWorldTest {
    private static final int PARTITIONS = 3;
    private static final int SEEDS = 300;
    private static final int STEPS = 600;
    private static final int STEP_MILLIS = 10;
    private static final int AHEAD = 3_600_000;

    private final RowVersion[] committed = new RowVersion[PARTITIONS];
    private final RowVersion[] visible = new RowVersion[PARTITIONS];
    private final Instant[][] commitTimes = new Instant[PARTITIONS][];

    /** What a source says, given the truth and how long it has been stale without a break. */
    private interface Speaker {
        double say(double truth, Random random);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exact", "late by a sampling period", "generous"})
    void neverAccusesAnHonestSource(String kind) {
        Speaker speaker = switch (kind) {
            case "exact" -> (truth, random) -> truth;
            case "generous" -> (truth, random) -> truth + random.nextDouble();
            default -> (truth, random) -> Math.max(0, truth - 0.1);
        };
        for (int seed = 0; seed < SEEDS; seed++) {
            StalenessJudge judge = run(seed, speaker);
            assertThat(JudgeScript.report(judge).lies()).as("seed %d", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"always zero", "half", "capped at half a second"})
    void catchesALyingSource(String kind) {
        Speaker speaker = switch (kind) {
            case "always zero" -> (truth, random) -> 0;
            case "half" -> (truth, random) -> truth / 2;
            default -> (truth, random) -> Math.min(truth, 0.5);
        };
        for (int seed = 0; seed < SEEDS; seed++) {
            StalenessJudge judge = run(seed, speaker);
            assertThat(JudgeScript.report(judge).lies()).as("seed %d", seed).isNotEmpty();
        }
    }

    private StalenessJudge run(long seed, Speaker speaker) {
        Random random = new Random(seed);
        StalenessJudge judge =
                new StalenessJudge(new CanaryLedger(PARTITIONS), 1, Duration.ofMillis(100), JudgeScript.START);
        IntStream.range(0, PARTITIONS).forEach(partition -> {
            committed[partition] = RowVersion.NONE;
            visible[partition] = RowVersion.NONE;
            commitTimes[partition] = new Instant[STEPS + 1];
        });
        int stuckFrom = 100 + random.nextInt(100);
        int stuckTo = stuckFrom + 150 + random.nextInt(100);
        int stuckPartition = random.nextInt(PARTITIONS);
        for (int step = 1; step < STEPS; step++) {
            int now = step * STEP_MILLIS;
            for (int partition = 0; partition < PARTITIONS; partition++) {
                commit(judge, partition, step, now, random);
                boolean stuck = partition == stuckPartition && step >= stuckFrom && step < stuckTo;
                if (!stuck && random.nextInt(3) == 0) {
                    visible[partition] = committed[partition];
                }
            }
            claim(judge, now, speaker, random);
            if (random.nextInt(4) == 0) {
                answer(judge, now, speaker, random);
            }
        }
        return judge;
    }

    private void commit(StalenessJudge judge, int partition, int step, int now, Random random) {
        if (random.nextInt(5) != 0) {
            return;
        }
        committed[partition] = new RowVersion(1, step);
        commitTimes[partition][step] = at(now);
        boolean answered = random.nextInt(10) != 0;
        if (answered) {
            // The acknowledgement comes before anything else happens, but the commit can have been earlier.
            judge.acknowledged(new CanaryLedger.Canary(partition, committed[partition], at(now - 3), at(now + 1)));
        }
    }

    private void claim(StalenessJudge judge, int now, Speaker speaker, Random random) {
        OptionalDouble said = OptionalDouble.of(speaker.say(truth(now + 3), random));
        judge.claimed(new StalenessJudge.ReportedStaleness(
                Source.WORKER_FRESHNESS, Set.of(), at(now + 2), at(now + 4), said));
    }

    private void answer(StalenessJudge judge, int now, Speaker speaker, Random random) {
        double truth = truth(now + 6);
        double said = speaker.say(truth, random);
        Instant completeUpTo = at(now + 6 + AHEAD).minusNanos((long) (said * 1e9) + 1);
        judge.saw(new StalenessJudge.Observation(
                0,
                at(now + 5),
                at(now + 7),
                List.of(visible),
                Set.of(),
                OptionalDouble.of(said),
                Optional.of(completeUpTo)));
        // An hour ahead, read within two milliseconds.
        judge.clockRead(at(now + 8), at(now + 10), at(now + 9 + AHEAD));
    }

    private double truth(int millis) {
        double worst = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int step = (int) visible[partition].sequence() + 1; step <= committed[partition].sequence(); step++) {
                Instant time = commitTimes[partition][step];
                if (time != null && !time.isAfter(at(millis))) {
                    worst = Math.max(worst, Duration.between(time, at(millis)).toNanos() / 1e9);
                    break;
                }
            }
        }
        return worst;
    }
}
