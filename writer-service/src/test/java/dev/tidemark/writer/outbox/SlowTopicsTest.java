package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlowTopicsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SlowTopics slow = new SlowTopics(PATIENCE);

    @Test
    void eachRestIsTwiceAsLongAsTheOneBeforeUpToABound() {
        Instant now = Instant.EPOCH;
        Duration expected = SlowTopics.FIRST_REST;
        for (int i = 0; i < 20; i++) {
            Instant until = slow.restAfter("customers.by_town.1", now);
            assertThat(Duration.between(now, until)).isEqualTo(expected);
            now = until.plus(PATIENCE);
            Duration doubled = expected.multipliedBy(2);
            expected = doubled.compareTo(SlowTopics.LONGEST_REST) < 0 ? doubled : SlowTopics.LONGEST_REST;
        }
        assertThat(expected).isEqualTo(SlowTopics.LONGEST_REST);
        assertThat(slow.restAfter("customers.by_age.2", now)).isEqualTo(now.plus(SlowTopics.FIRST_REST));
    }

    @Test
    void aTopicThatWasFineForLongRestsForAShortTimeAgain() {
        Instant now = Instant.EPOCH;
        for (int i = 0; i < 3; i++) {
            now = slow.restAfter("customers.by_town.1", now);
        }

        Instant later = now.plus(SlowTopics.LONGEST_REST).plus(PATIENCE);
        assertThat(slow.restAfter("customers.by_town.1", later)).isEqualTo(later.plus(SlowTopics.FIRST_REST));
    }
}
