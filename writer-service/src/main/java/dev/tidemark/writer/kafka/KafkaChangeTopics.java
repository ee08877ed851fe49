package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicDeletionDisabledException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicRefusedException;
import dev.tidemark.writer.outbox.TopicSpec;
import dev.tidemark.writer.outbox.TopicStatus;

/** The topics in Kafka: made with compaction and all that a complete copy of a table needs. */
public final class KafkaChangeTopics implements ChangeTopics {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaChangeTopics.class);
    private static final List<String> SHOWN =
            List.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);

    private final AdminConnection admin;
    private final int maxMessageBytes;
    private final Optional<Short> replicationFactor;

    /**
     * The topics.
     *
     * @param maxMessageBytes most bytes of a record
     * @param replicationFactor of topics that are made; empty for the broker's default
     */
    public KafkaChangeTopics(AdminConnection admin, int maxMessageBytes, Optional<Short> replicationFactor) {
        this.admin = admin;
        this.maxMessageBytes = maxMessageBytes;
        this.replicationFactor = replicationFactor;
    }

    @Override
    public Optional<TopicStatus> find(TopicSpec spec)
            throws PublishException, TopicRefusedException, InterruptedException {
        String topic = ChangeTopic.nameFor(spec.table());
        try {
            TopicDescription description = Objects.requireNonNull(
                    admin.ask(client -> client.describeTopics(List.of(topic)).allTopicNames())
                            .get(topic));
            requireLeaders(description);
            return Optional.of(new TopicStatus(
                    description.topicId().toString(),
                    offsets(topic, description.partitions().size(), OffsetSpec.earliest()),
                    offsets(topic, description.partitions().size(), OffsetSpec.latest()),
                    withRoomForRows(topic, settings(topic))));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        } catch (TopicAuthorizationException e) {
            throw new TopicRefusedException(topic, String.valueOf(e.getMessage()));
        } catch (KafkaException e) {
            throw new PublishException("topic " + topic + " cannot be looked at: " + e.getMessage(), e);
        }
    }

    @Override
    public TopicStatus create(TopicSpec spec) throws PublishException, TopicRefusedException, InterruptedException {
        String topic = ChangeTopic.nameFor(spec.table());
        NewTopic wanted =
                new NewTopic(topic, Optional.of(spec.partitions()), replicationFactor).configs(configuration());
        try {
            String id = admin.ask(client -> created(client.createTopics(List.of(wanted)), topic));
            LOGGER.info("Made topic {} with {} partitions", topic, spec.partitions());
            List<Long> none = Collections.nCopies(spec.partitions(), 0L);
            return new TopicStatus(id, none, none, configuration());
        } catch (AuthorizationException | PolicyViolationException | InvalidReplicationFactorException e) {
            throw new TopicRefusedException(topic, "it cannot be made: " + e.getMessage());
        } catch (KafkaException e) {
            throw new PublishException("topic " + topic + " cannot be made: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean delete(TopicSpec spec, TopicStatus found) throws PublishException, InterruptedException {
        String topic = ChangeTopic.nameFor(spec.table());
        try {
            TopicCollection looked = TopicCollection.ofTopicIds(List.of(Uuid.fromString(found.id())));
            admin.ask(client -> client.deleteTopics(looked).all());
            return true;
        } catch (UnknownTopicIdException e) {
            return true;
        } catch (AuthorizationException | TopicDeletionDisabledException e) {
            LOGGER.debug("Topic {} may not be deleted", topic, e);
            return false;
        } catch (KafkaException e) {
            throw new PublishException("topic " + topic + " cannot be deleted: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<String> objection(TopicSpec spec, TopicStatus status) {
        String policy = status.settings().getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "");
        if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            return Optional.of("its cleanup.policy is " + policy
                    + ", but a complete copy of a table needs cleanup.policy=compact and nothing else");
        }
        long most = maxMessageBytes(status.settings());
        if (most < maxMessageBytes) {
            return Optional.of("its max.message.bytes is " + most + ", but the largest row needs " + maxMessageBytes);
        }
        return Optional.empty();
    }

    /** Without its leader nothing is known of a partition, and asking for its end would take until the client gives up. */
    private static void requireLeaders(TopicDescription description) throws PublishException {
        for (TopicPartitionInfo partition : description.partitions()) {
            if (partition.leader() == null || partition.leader().isEmpty()) {
                throw new PublishException(
                        "partition " + partition.partition() + " of topic " + description.name() + " has no leader");
            }
        }
    }

    private Map<String, String> configuration() {
        return Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
                TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, millis(Duration.ofHours(1)),
                TopicConfig.DELETE_RETENTION_MS_CONFIG, millis(ChangeTopic.DELETE_RETENTION),
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(maxMessageBytes),
                // Only a closed segment is compacted, and heartbeats fill segments of idle tables slowly.
                TopicConfig.SEGMENT_MS_CONFIG, millis(Duration.ofHours(1)),
                TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, millis(Duration.ofHours(24)));
    }

    private List<Long> offsets(String topic, int partitions, OffsetSpec which) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        IntStream.range(0, partitions).forEach(p -> wanted.put(new TopicPartition(topic, p), which));
        Map<Integer, Long> offsets = new TreeMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> offset :
                admin.ask(client -> client.listOffsets(wanted).all()).entrySet()) {
            offsets.put(offset.getKey().partition(), offset.getValue().offset());
        }
        return List.copyOf(offsets.values());
    }

    private Map<String, String> settings(String topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Config config = Objects.requireNonNull(
                admin.ask(client -> client.describeConfigs(List.of(resource)).all())
                        .get(resource));
        Map<String, String> settings = new TreeMap<>();
        SHOWN.forEach(
                name -> Optional.ofNullable(config.get(name)).ifPresent(entry -> settings.put(name, entry.value())));
        return settings;
    }

    /** A topic that somebody else made may take small records only; that much is put right. */
    private Map<String, String> withRoomForRows(String topic, Map<String, String> settings)
            throws InterruptedException {
        boolean compacted = TopicConfig.CLEANUP_POLICY_COMPACT.equals(settings.get(TopicConfig.CLEANUP_POLICY_CONFIG));
        if (!compacted || maxMessageBytes(settings) >= maxMessageBytes) {
            return settings;
        }
        ConfigEntry wanted = new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(maxMessageBytes));
        admin.ask(client -> client.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(wanted, AlterConfigOp.OpType.SET))))
                .all());
        LOGGER.info("Raised {} of topic {} to {}", wanted.name(), topic, wanted.value());
        return settings(topic);
    }

    private static long maxMessageBytes(Map<String, String> settings) {
        return Long.parseLong(settings.getOrDefault(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "0"));
    }

    private static KafkaFuture<String> created(CreateTopicsResult result, String topic) {
        return result.topicId(topic).thenApply(id -> id.toString());
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
