package dev.tidemark.writer.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.testkit.LoggedLines;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicRefusedException;
import dev.tidemark.writer.outbox.TopicStatus;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaChangeTopicsTest {
    private static final TableDefinition SPEC = TestTables.CUSTOMERS;
    private static final String TOPIC = ChangeTopic.nameFor(SPEC.name());
    private static final int MAX_BYTES = 2_000_000;
    private static final String LEAST = "min.insync.replicas";

    private final InMemoryTopicAdmin cluster = new InMemoryTopicAdmin(1);
    private final RecordRoom room = new RecordRoom(MAX_BYTES);

    @Test
    void aTopicOfThreeReplicasIsCreatedWithTwoInSync() throws Exception {
        topics(3).create(SPEC);

        assertThat(cluster.settings(TOPIC)).containsEntry(LEAST, "2");
        assertThat(cluster.changes()).isZero();
    }

    @Test
    void soIsOneThatHasThreeReplicasByTheDefaultOfTheBroker() throws Exception {
        InMemoryTopicAdmin many = new InMemoryTopicAdmin(3);

        new KafkaChangeTopics(many, new RecordRoom(MAX_BYTES), Optional.empty()).create(SPEC);

        assertThat(many.settings(TOPIC)).containsEntry(LEAST, "2");
    }

    @Test
    void aTopicIsMadeOnceTheLeadersOfItsPartitionsAnswer() throws Exception {
        cluster.lead(false);
        assertThatThrownBy(() -> topics(1).create(SPEC)).isInstanceOf(PublishException.class);

        cluster.lead(true);
        assertThat(topics(1).find(SPEC)).isPresent();
    }

    @Test
    void aTopicWhoseNameTheBrokerRefusesIsRefused() {
        cluster.add(TOPIC.replace('.', '_'), 1, 1, good());

        assertThatThrownBy(() -> topics(1).create(SPEC))
                .isInstanceOf(TopicRefusedException.class)
                .hasMessageContaining(TOPIC);
    }

    @Test
    void aStricterDefaultOfTheBrokerStays() throws Exception {
        InMemoryTopicAdmin many = new InMemoryTopicAdmin(5);
        many.preset(LEAST, "3");

        new KafkaChangeTopics(many, new RecordRoom(MAX_BYTES), Optional.empty()).create(SPEC);

        assertThat(many.settings(TOPIC)).containsEntry(LEAST, "3");
        assertThat(many.changes()).isZero();
    }

    @Test
    void aTopicOfFewerReplicasTakesRecordsWhileOneIsInSync() throws Exception {
        topics(2).create(SPEC);

        assertThat(cluster.settings(TOPIC)).containsEntry(LEAST, "1");
    }

    @Test
    void aTopicOfSomebodyElseKeepsItsInSyncReplicasAndIsWarnedOfOnce() throws Exception {
        cluster.add(TOPIC, SPEC.partitions(), 3, good());
        KafkaChangeTopics topics = topics(3);

        try (LoggedLines lines = LoggedLines.listen()) {
            topics.find(SPEC);
            topics.find(SPEC);

            assertThat(lines.all())
                    .filteredOn(line -> line.contains(LEAST))
                    .singleElement()
                    .asString()
                    .contains(TOPIC, "3 replicas", LEAST + "=1", "Set " + LEAST + "=2");
        }
        assertThat(cluster.settings(TOPIC)).containsEntry(LEAST, "1");
    }

    @Test
    void aTopicThatWasCreatedJustNowIsNotWarnedOf() throws Exception {
        InMemoryTopicAdmin many = new InMemoryTopicAdmin(3);
        many.lag();
        KafkaChangeTopics topics = new KafkaChangeTopics(many, new RecordRoom(MAX_BYTES), Optional.empty());

        try (LoggedLines lines = LoggedLines.listen()) {
            topics.create(SPEC);
            topics.find(SPEC);

            assertThat(lines.all()).noneMatch(line -> line.contains(LEAST));
        }
        assertThat(many.changes()).isEqualTo(1);
    }

    @Test
    void aTopicOfOneReplicaIsNotWarnedOf() throws Exception {
        cluster.add(TOPIC, SPEC.partitions(), 1, good());

        try (LoggedLines lines = LoggedLines.listen()) {
            topics(1).find(SPEC);

            assertThat(lines.all()).noneMatch(line -> line.contains(LEAST));
        }
        assertThat(cluster.changes()).isZero();
    }

    @Test
    void aTopicOfSomebodyElseIsGivenRoomForRows() throws Exception {
        cluster.add(TOPIC, SPEC.partitions(), 1, with("max.message.bytes", "1000"));

        Optional<TopicStatus> found = topics(1).find(SPEC);

        assertThat(cluster.settings(TOPIC)).containsEntry("max.message.bytes", "2000000");
        assertThat(found.flatMap(status -> topics(1).objection(SPEC, status))).isEmpty();
        assertThat(found.map(TopicStatus::endOffsets)).contains(List.of(0L, 0L, 0L, 0L));
    }

    @Test
    void aTopicIsGivenRoomForALongerRowOnceOneWasRefused() throws Exception {
        topics(1).create(SPEC);
        room.sent(TOPIC, 3_000_000);
        topics(1).find(SPEC);
        assertThat(cluster.settings(TOPIC)).containsEntry("max.message.bytes", "2000000");

        room.lacked(TOPIC);
        Optional<TopicStatus> found = topics(1).find(SPEC);

        assertThat(cluster.settings(TOPIC)).containsEntry("max.message.bytes", Integer.toString(3_000_000 + 65_536));
        assertThat(found.flatMap(status -> topics(1).objection(SPEC, status))).isEmpty();
        assertThat(room.bytes("another topic")).isEqualTo(MAX_BYTES);
    }

    @Test
    void aTopicOfSomebodyElseIsNotCompactedForAnHour() throws Exception {
        cluster.add(TOPIC, SPEC.partitions(), 1, with("min.compaction.lag.ms", "0"));

        topics(1).find(SPEC);

        assertThat(cluster.settings(TOPIC))
                .containsEntry("min.compaction.lag.ms", "3600000")
                .containsEntry("max.compaction.lag.ms", Long.toString(Long.MAX_VALUE));
    }

    @Test
    void neitherIsOneThatIsToBeCompactedSooner() throws Exception {
        Map<String, String> soon = with("min.compaction.lag.ms", "1000");
        soon.put("max.compaction.lag.ms", "60000");
        cluster.add(TOPIC, SPEC.partitions(), 1, soon);

        topics(1).find(SPEC);

        assertThat(cluster.settings(TOPIC))
                .containsEntry("min.compaction.lag.ms", "3600000")
                .containsEntry("max.compaction.lag.ms", "86400000");
    }

    @Test
    void theTimesOfRecordsAreThoseOfBrokersInTopicsThatItCreates() throws Exception {
        topics(1).create(SPEC);

        assertThat(cluster.settings(TOPIC)).containsEntry("message.timestamp.type", "LogAppendTime");
    }

    @Test
    void soTheyAreInTopicsOfEarlierVersions() throws Exception {
        cluster.add(TOPIC, SPEC.partitions(), 1, with("message.timestamp.type", "CreateTime"));

        topics(1).find(SPEC);

        assertThat(cluster.settings(TOPIC)).containsEntry("message.timestamp.type", "LogAppendTime");
    }

    @Test
    void aTopicWhoseTimesTheClusterKeepsIsUsedAndWarnedOfOnce() throws Exception {
        Map<String, String> old = with("message.timestamp.type", "CreateTime");
        old.put("max.message.bytes", "1000");
        cluster.add(TOPIC, SPEC.partitions(), 1, old);
        cluster.keep("message.timestamp.type");
        KafkaChangeTopics topics = topics(1);

        try (LoggedLines lines = LoggedLines.listen()) {
            assertThat(topics.find(SPEC)).isPresent();
            assertThat(topics.find(SPEC)).isPresent();

            assertThat(lines.all())
                    .filteredOn(line -> line.contains("message.timestamp.type"))
                    .singleElement()
                    .asString()
                    .contains(TOPIC, "may not be given", "forbidden by a policy");
        }
        assertThat(cluster.settings(TOPIC)).containsEntry("max.message.bytes", "2000000");
    }

    @Test
    void settingsThatAreLargeEnoughStay() throws Exception {
        cluster.add(TOPIC, SPEC.partitions(), 1, with("min.compaction.lag.ms", "7200000"));

        topics(1).find(SPEC);

        assertThat(cluster.changes()).isZero();
    }

    private KafkaChangeTopics topics(int replicas) {
        return new KafkaChangeTopics(cluster, room, Optional.of((short) replicas));
    }

    /** Settings that a change topic may keep. */
    private static Map<String, String> good() {
        return Map.of(
                "cleanup.policy", "compact",
                "max.message.bytes", Integer.toString(MAX_BYTES),
                "message.timestamp.type", "LogAppendTime",
                "min.compaction.lag.ms", "3600000");
    }

    private static Map<String, String> with(String name, String value) {
        Map<String, String> settings = new HashMap<>(good());
        settings.put(name, value);
        return settings;
    }
}
