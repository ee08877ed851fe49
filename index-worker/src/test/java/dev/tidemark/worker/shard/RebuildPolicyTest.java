package dev.tidemark.worker.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardOrigin;

import static org.assertj.core.api.Assertions.assertThat;

class RebuildPolicyTest {
    private static final Instant NOW = Instant.parse("2026-01-10T00:00:00Z");
    private static final ShardOrigin ORIGIN = new ShardOrigin("topic-1", "definition");

    private final RebuildPolicy policy = new RebuildPolicy(Duration.ofHours(84));
    private Optional<Duration> retention = Optional.empty();

    @Test
    void trustsAShardThatWasHereLately() {
        assertThat(reasonToRebuild(ORIGIN, 10, NOW.minus(Duration.ofHours(84)), 10))
                .isEmpty();
    }

    @Test
    void doesNotTrustAShardThatWasAwayForLong() {
        assertThat(reasonToRebuild(ORIGIN, 10, NOW.minus(Duration.ofHours(85)), 10))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("85 h").contains("84 h"));
    }

    @Test
    void doesNotTrustAShardThatWasLastHereInTheFuture() {
        assertThat(reasonToRebuild(ORIGIN, 10, NOW.plus(Duration.ofHours(1)), 10))
                .as("the clock of the worker that a copy is from may differ")
                .isEmpty();
        assertThat(reasonToRebuild(ORIGIN, 10, NOW.plus(Duration.ofDays(2)), 10))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("2026-01-12").contains("2026-01-10"));
    }

    @Test
    void doesNotTrustAShardThatWasAwayForMoreThanHalfOfWhatItsTopicKeepsMarksOfDeletesFor() {
        retention = Optional.of(Duration.ofSeconds(60));
        assertThat(reasonToRebuild(ORIGIN, 10, NOW.minus(Duration.ofSeconds(30)), 10))
                .isEmpty();
        assertThat(reasonToRebuild(ORIGIN, 10, NOW.minus(Duration.ofSeconds(31)), 10))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("31 s").contains("60 s"));
    }

    @Test
    void theSettingHoldsWhateverTheTopicKeeps() {
        retention = Optional.of(Duration.ofDays(700));
        assertThat(reasonToRebuild(ORIGIN, 10, NOW.minus(Duration.ofHours(85)), 10))
                .isPresent();
    }

    @Test
    void doesNotTrustAShardOfAnotherTopic() {
        assertThat(reasonToRebuild(new ShardOrigin("topic-2", "definition"), 10, NOW, 10))
                .hasValueSatisfying(reason -> assertThat(reason).contains("topic-2"));
    }

    @Test
    void doesNotTrustAShardOfAnotherDefinition() {
        assertThat(reasonToRebuild(new ShardOrigin("topic-1", "other"), 10, NOW, 10))
                .isPresent();
    }

    @Test
    void doesNotTrustAShardThatHasReadMoreThanThereIs() {
        assertThat(reasonToRebuild(ORIGIN, 11, NOW, 10))
                .hasValueSatisfying(reason -> assertThat(reason).contains("11").contains("10"));
    }

    @Test
    void aShardOnItsFirstWayThroughGoesOn() {
        assertThat(reasonToRebuild(ORIGIN, 5, Instant.MIN, 10)).isEmpty();
        assertThat(reasonToRebuild(ORIGIN, 0, Instant.MIN, 10)).isEmpty();
    }

    @Test
    void doesNotTrustRowsAtTheBeginningOfTheTopicAfterALongAbsenceEither() {
        ShardCheckpoint back = new ShardCheckpoint(
                0, OptionalInt.empty(), Progress.UNKNOWN, NOW.minus(Duration.ofDays(30)), new TreeMap<>(), 6, 0);
        assertThat(rebuild(ORIGIN, back, 10)).isPresent();
        ShardCheckpoint ofAnEarlierVersion =
                new ShardCheckpoint(0, OptionalInt.empty(), Progress.UNKNOWN, Instant.MIN, new TreeMap<>(), 6, 0);
        assertThat(rebuild(ORIGIN, ofAnEarlierVersion, 10)).isPresent();
    }

    private Optional<String> reasonToRebuild(ShardOrigin found, long nextOffset, Instant caughtUp, long end) {
        ShardCheckpoint checkpoint =
                new ShardCheckpoint(nextOffset, OptionalInt.empty(), Progress.UNKNOWN, caughtUp, new TreeMap<>(), 0, 0);
        return rebuild(found, checkpoint, end).map(RebuildPolicy.Rebuild::reason);
    }

    private Optional<RebuildPolicy.Rebuild> rebuild(ShardOrigin found, ShardCheckpoint checkpoint, long end) {
        return policy.reasonToRebuild(
                found,
                ORIGIN,
                checkpoint,
                new PartitionInfoSource.PartitionInfo("topic-1", 0, end, retention, Optional.empty()),
                NOW);
    }
}
