package dev.tidemark.worker.lag;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.progress.IndexHealth;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class HealthRuleTest {
    private static final OptionalLong NONE_BEHIND = OptionalLong.of(0);
    private static final OptionalLong SOME_BEHIND = OptionalLong.of(9);
    private static final OptionalLong NOT_TOLD = OptionalLong.empty();

    @Test
    void steadyWhileTheWatermarkIsFresh() {
        assertThat(state(shard(500, NONE_BEHIND))).isEqualTo(IndexHealth.STEADY);
        assertThat(state(shard(1_000, SOME_BEHIND))).isEqualTo(IndexHealth.STEADY);
        assertThat(state(shard(5_000, NONE_BEHIND))).isEqualTo(IndexHealth.STEADY);
    }

    @Test
    void catchingUpWhileRecordsWaitAndTheWatermarkIsOld() {
        assertThat(state(shard(1_001, SOME_BEHIND))).isEqualTo(IndexHealth.CATCHING_UP);
        assertThat(state(shard(60_000, SOME_BEHIND))).isEqualTo(IndexHealth.CATCHING_UP);
    }

    @Test
    void unknownWhenNobodyTells() {
        assertThat(state(shard(5_001, NONE_BEHIND))).isEqualTo(IndexHealth.UNKNOWN);
        assertThat(state(shard(5_100, NOT_TOLD))).isEqualTo(IndexHealth.UNKNOWN);
        assertThat(HealthRule.of(List.of())).isEqualTo(IndexHealth.UNKNOWN);
        assertThat(state(lag(Progress.UNKNOWN, false, 0, NONE_BEHIND, 0))).isEqualTo(IndexHealth.UNKNOWN);
    }

    @Test
    void restoringUntilItsFirstEndIsPassedWhateverElse() {
        assertThat(state(lag(progress(), true, 3, NOT_TOLD, 60_000))).isEqualTo(IndexHealth.RESTORING);
        assertThat(state(new ShardLag(Optional.empty(), Optional.empty(), NOT_TOLD, ChangeLog.START, false)))
                .isEqualTo(IndexHealth.RESTORING);
    }

    @Test
    void degradedWhileRowsAreQuarantinedOrAShardFails() {
        assertThat(state(lag(progress(), false, 1, NONE_BEHIND, 0))).isEqualTo(IndexHealth.DEGRADED);
        assertThat(state(new ShardLag(Optional.empty(), Optional.of("no disk"), NOT_TOLD, ChangeLog.START, false)))
                .isEqualTo(IndexHealth.DEGRADED);
    }

    @Test
    void pausedWhateverElse() {
        ShardStatus restoring = new ShardStatus(checkpoint(progress(), 3), true);
        ShardLag paused = new ShardLag(
                Optional.of(restoring), Optional.of("no disk"), NOT_TOLD, ChangeLog.START.plusSeconds(60), true);
        assertThat(HealthRule.of(List.of(shard(100, NONE_BEHIND), paused))).isEqualTo(IndexHealth.PAUSED);
        assertThat(paused.freshness()).contains(Duration.ofSeconds(60));
    }

    @Test
    void theWorstShardDecides() {
        assertThat(HealthRule.of(List.of(shard(100, NONE_BEHIND), shard(9_000, NONE_BEHIND))))
                .isEqualTo(IndexHealth.UNKNOWN);
    }

    @Test
    void theOldestUnappliedIsZeroOnlyWhenNothingWaitsAndTheWatermarkIsFresh() {
        assertThat(shard(300, NONE_BEHIND).oldestUnapplied()).contains(Duration.ZERO);
        assertThat(shard(301, NONE_BEHIND).oldestUnapplied()).contains(Duration.ofMillis(301));
        assertThat(shard(900, NONE_BEHIND).oldestUnapplied()).contains(Duration.ofMillis(900));
        assertThat(shard(900, SOME_BEHIND).oldestUnapplied()).contains(Duration.ofMillis(900));
        assertThat(shard(900, NOT_TOLD).oldestUnapplied()).contains(Duration.ofMillis(900));
        assertThat(shard(3_000, NONE_BEHIND).oldestUnapplied()).contains(Duration.ofSeconds(3));
        assertThat(lag(Progress.UNKNOWN, false, 0, NONE_BEHIND, 0).oldestUnapplied())
                .isEmpty();
    }

    @Test
    void aWatermarkAheadOfThisClockIsNow() {
        assertThat(shard(-50, NONE_BEHIND).freshness()).contains(Duration.ZERO);
    }

    private static IndexHealth state(ShardLag lag) {
        return HealthRule.of(List.of(lag));
    }

    private static ShardLag shard(long ageMillis, OptionalLong behind) {
        return lag(progress(), false, 0, behind, ageMillis);
    }

    private static Progress progress() {
        return new Progress(ChangeLog.START, ChangeLog.version(1));
    }

    private static ShardLag lag(
            Progress progress, boolean restoring, long quarantined, OptionalLong behind, long ageMillis) {
        return new ShardLag(
                Optional.of(new ShardStatus(checkpoint(progress, quarantined), restoring)),
                Optional.empty(),
                behind,
                ChangeLog.START.plusMillis(ageMillis),
                false);
    }

    private static ShardCheckpoint checkpoint(Progress progress, long quarantined) {
        return new ShardCheckpoint(1, OptionalInt.empty(), progress, ChangeLog.START, new TreeMap<>(), 0, quarantined);
    }
}
