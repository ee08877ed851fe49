package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.outbox.TopicSpec;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaTopicTailsTest {
    private static final TopicSpec SPEC = new TopicSpec(TestTables.CUSTOMERS);

    private final WatchedConsumer consumer = new WatchedConsumer(ChangeTopic.nameFor(SPEC.table()));
    private final KafkaTopicTails tails = new KafkaTopicTails(() -> consumer, new ManualClock());

    @Test
    void theConsumerIsClosedOnceAndWithinABound() throws Exception {
        consumer.give(0, new byte[] {'x'});
        assertThat(tails.holdsAnother(SPEC, 0, 0, 1)).isTrue();

        tails.release();
        tails.release();

        assertThat(consumer.closes()).containsExactly(Optional.of(Duration.ofSeconds(1)));
    }
}
