package dev.tidemark.writer.kafka;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InSyncReplicasTest {
    @Test
    void aTopicOfThreeReplicasOrMoreNeedsTwoInSync() {
        assertThat(TopicCreator.settingsFor(3)).isEqualTo(least("2"));
        assertThat(TopicCreator.settingsFor(5)).isEqualTo(least("2"));
    }

    @Test
    void aTopicOfFewerReplicasNeedsNothing() {
        assertThat(TopicCreator.settingsFor(1)).isEmpty();
        assertThat(TopicCreator.settingsFor(2)).isEmpty();
        assertThat(TopicCreator.warning("t", 1, least("1"))).isEmpty();
        assertThat(TopicCreator.warning("t", 2, least("1"))).isEmpty();
    }

    @Test
    void warnsWhereManyReplicasAreNotUsed() {
        assertThat(TopicCreator.warning("t", 3, least("1")))
                .contains(
                        "Topic t has 3 replicas and min.insync.replicas=1: it acknowledges a record that one broker has,"
                                + " and loses it with that broker. Set min.insync.replicas=2 on it");
        assertThat(TopicCreator.warning("t", 3, Map.of())).isPresent();
        assertThat(TopicCreator.warning("t", 3, least("2"))).isEmpty();
        assertThat(TopicCreator.warning("t", 4, least("3"))).isEmpty();
    }

    private static Map<String, String> least(String value) {
        return Map.of("min.insync.replicas", value);
    }
}
