package dev.tidemark.worker.lifecycle;

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

class TrustTest {
    private static final Instant NOW = Instant.parse("2026-01-10T00:00:00Z");
    private static final ShardOrigin ORIGIN = new ShardOrigin("topic-1", "definition");

    private final Trust trust = new Trust(Duration.ofHours(84));
    private Optional<Duration> retention = Optional.empty();

    @Test
    void trustsAShardThatWasHereLately() {
        assertThat(breach(ORIGIN, 10, NOW.minus(Duration.ofHours(84)), 10)).isEmpty();
    }

    @Test
    void doesNotTrustAShardThatWasAwayForLong() {
        assertThat(breach(ORIGIN, 10, NOW.minus(Duration.ofHours(85)), 10))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("85 h").contains("84 h"));
    }

    @Test
    void doesNotTrustAShardThatWasAwayForMoreThanHalfOfWhatItsTopicKeepsMarksOfDeletesFor() {
        retention = Optional.of(Duration.ofSeconds(60));
        assertThat(breach(ORIGIN, 10, NOW.minus(Duration.ofSeconds(30)), 10)).isEmpty();
        assertThat(breach(ORIGIN, 10, NOW.minus(Duration.ofSeconds(31)), 10))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("31 s").contains("60 s"));
    }

    @Test
    void theSettingHoldsWhateverTheTopicKeeps() {
        retention = Optional.of(Duration.ofDays(700));
        assertThat(breach(ORIGIN, 10, NOW.minus(Duration.ofHours(85)), 10)).isPresent();
    }

    @Test
    void doesNotTrustAShardOfAnotherTopic() {
        assertThat(breach(new ShardOrigin("topic-2", "definition"), 10, NOW, 10))
                .hasValueSatisfying(reason -> assertThat(reason).contains("topic-2"));
    }

    @Test
    void doesNotTrustAShardOfAnotherDefinition() {
        assertThat(breach(new ShardOrigin("topic-1", "other"), 10, NOW, 10)).isPresent();
    }

    @Test
    void doesNotTrustAShardThatHasReadMoreThanThereIs() {
        assertThat(breach(ORIGIN, 11, NOW, 10))
                .hasValueSatisfying(reason -> assertThat(reason).contains("11").contains("10"));
    }

    @Test
    void aShardOnItsFirstWayThroughGoesOn() {
        assertThat(breach(ORIGIN, 5, Instant.MIN, 10)).isEmpty();
        assertThat(breach(ORIGIN, 0, Instant.MIN, 10)).isEmpty();
    }

    private Optional<String> breach(ShardOrigin found, long nextOffset, Instant caughtUp, long end) {
        ShardCheckpoint checkpoint =
                new ShardCheckpoint(nextOffset, OptionalInt.empty(), Progress.UNKNOWN, caughtUp, new TreeMap<>(), 0, 0);
        return trust.breach(
                found, ORIGIN, checkpoint, new TopicFacts.Fact("topic-1", 0, end, retention, Optional.empty()), NOW);
    }
}
