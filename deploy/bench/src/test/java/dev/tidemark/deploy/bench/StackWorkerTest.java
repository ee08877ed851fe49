package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class StackWorkerTest {
    private final ManualClock clock = new ManualClock();
    private final Deque<String> pages = new ArrayDeque<>(List.of(
            "",
            "tidemark_events_applied_total{result=\"applied\",table=\"customers\",} 0.0\n"
                    + "tidemark_kafka_consumer_records_consumed_rate NaN",
            "tidemark_events_applied_total{result=\"applied\",table=\"customers\",} 0.0\n"
                    + "tidemark_kafka_consumer_records_consumed_rate 16.5",
            "tidemark_events_applied_total{result=\"applied\",table=\"customers\",} 200.0",
            "tidemark_events_applied_total{result=\"applied\",table=\"customers\",} 1.0E3\n"
                    + "tidemark_events_applied_total{result=\"stale\",table=\"customers\",} 200.0"));

    @Test
    void theRateCountsFromTheLastMomentAtWhichNothingHadBeenRead() throws Exception {
        StackWorker.Followed followed = StackWorker.follow(1_200, this::begin, this::metrics, clock);

        assertThat(followed.perSecond()).isCloseTo(40, within(0.01));
        assertThat(followed.sinceStart()).isGreaterThanOrEqualTo(Duration.ofSeconds(50));
    }

    private Instant begin() {
        clock.advance(Duration.ofSeconds(1));
        return clock.instant();
    }

    /** Answers ten seconds after the last answer. */
    private String metrics() {
        clock.advance(Duration.ofSeconds(10));
        return pages.remove();
    }
}
