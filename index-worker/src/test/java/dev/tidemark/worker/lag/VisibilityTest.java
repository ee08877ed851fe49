package dev.tidemark.worker.lag;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.TestLatencies;

import static org.assertj.core.api.Assertions.assertThat;

class VisibilityTest {
    private static final ShardId FILMS = new ShardId("films", 0);

    private final SettableClock clock = new SettableClock(ChangeLog.at(100));
    private final Visibility visibility = new Visibility(clock);

    @Test
    void theMeansOfTheStagesAddUpToTheMeanOfTheWhole() {
        visibility.visible(
                FILMS,
                new TestLatencies()
                        .and(3, 2, 4, 30, 1, 3)
                        .and(1, 10, 0, 90, 7, 13)
                        .all());
        visibility.visible(
                new ShardId("films", 3),
                new TestLatencies().and(2, 1, 1, 1, 1, 1).all());
        assertThat(visibility.of("films").count()).isEqualTo(6);
        assertThat(visibility.of("films").mean())
                .isEqualTo(Duration.ofMillis(250).dividedBy(6));
        Duration sum = Duration.ZERO;
        for (Stage stage : Stage.values()) {
            assertThat(visibility.of("films", stage).count()).isEqualTo(6);
            sum = sum.plus(visibility.of("films", stage).mean());
        }
        assertThat(sum).isCloseTo(visibility.of("films").mean(), Duration.ofNanos(10));
        assertThat(visibility.of("films", Stage.KAFKA).p50()).isBetween(Duration.ofMillis(30), Duration.ofMillis(38));
    }

    @Test
    void takesASourceThatIsMillenniaBehindAndOneThatIsAhead() {
        visibility.sourceAge(FILMS, Duration.ofDays(700_000));
        visibility.sourceAge(FILMS, Duration.ofDays(-700_000));

        assertThat(visibility.ofSource("films").count()).isEqualTo(2);
        assertThat(visibility.ofSource("films").max()).isGreaterThan(Duration.ofDays(100_000));
    }

    @Test
    void forgetsWhatIsOld() {
        visibility.visible(FILMS, new TestLatencies().and(1, 1, 1, 1, 1, 1).all());
        clock.advance(Duration.ofMinutes(3));
        assertThat(visibility.of("films", Stage.APPLY).recent()).isZero();
        assertThat(visibility.of("films", Stage.APPLY).count()).isEqualTo(1);
    }

    @Test
    void forgetsTablesThatAreGone() {
        visibility.visible(FILMS, new TestLatencies().and(1, 1, 1, 1, 1, 1).all());
        visibility.visible(
                new ShardId("people", 0),
                new TestLatencies().and(1, 1, 1, 1, 1, 1).all());
        visibility.retain(List.of("people"));
        assertThat(visibility.of("films")).isEqualTo(RecentDurations.Summary.NONE);
        assertThat(visibility.of("people").count()).isEqualTo(1);
    }

    @Test
    void saysNothingOfATableWithoutChanges() {
        assertThat(visibility.of("people")).isEqualTo(RecentDurations.Summary.NONE);
        assertThat(visibility.of("people", Stage.QUEUE)).isEqualTo(RecentDurations.Summary.NONE);
    }
}
