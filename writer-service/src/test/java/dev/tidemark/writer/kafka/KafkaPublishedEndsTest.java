package dev.tidemark.writer.kafka;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.writer.catalog.LogUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaPublishedEndsTest {
    private static final String TOPIC = ChangeTopic.nameFor("customers");

    private final InMemoryTopicAdmin cluster = new InMemoryTopicAdmin(1);
    private final KafkaPublishedEnds ends = new KafkaPublishedEnds(cluster, List.of("customers"));

    @Test
    void aTopicThatIsAbsentCountsNothing() throws Exception {
        assertThat(ends.sum()).isZero();
    }

    /** Nothing can be published to such a partition, so a writer that publishes nothing may be at work. */
    @Test
    void nothingIsKnownWhileAPartitionHasNoLeader() throws Exception {
        cluster.add(TOPIC, 3, 1, Map.of());
        assertThat(ends.sum()).isZero();
        cluster.loseLeaders(1, 2);

        assertThatThrownBy(ends::sum)
                .isInstanceOf(LogUnavailableException.class)
                .hasMessage("partition 1 of topic " + TOPIC + " has no leader");
    }
}
