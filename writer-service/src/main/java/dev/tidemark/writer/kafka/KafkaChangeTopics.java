package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicDeletionDisabledException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicRefusedException;
import dev.tidemark.writer.outbox.TopicStatus;

/** The topics in Kafka: made with compaction and all that a complete copy of a table needs. */
public final class KafkaChangeTopics implements ChangeTopics {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaChangeTopics.class);

    private static final Duration COMPACTED_AFTER = Duration.ofHours(24);

    private final TopicAdmin admin;
    private final TopicCreator creator;
    private final RecordRoom room;

    /**
     * The topics.
     *
     * @param room most bytes of a record
     * @param replicationFactor of topics that are made; empty for the broker's default
     */
    public KafkaChangeTopics(AdminConnection admin, RecordRoom room, Optional<Short> replicationFactor) {
        this(new KafkaTopicAdmin(admin), room, replicationFactor);
    }

    /** The topics of any cluster. */
    KafkaChangeTopics(TopicAdmin admin, RecordRoom room, Optional<Short> replicationFactor) {
        this.admin = admin;
        this.creator = new TopicCreator(admin, replicationFactor);
        this.room = room;
    }

    @Override
    public Optional<TopicStatus> find(TableDefinition spec)
            throws PublishException, TopicRefusedException, InterruptedException {
        String topic = ChangeTopic.nameFor(spec.name());
        try {
            TopicAdmin.Found found = admin.find(topic);
            requireLeaders(topic, found);
            Map<String, String> settings = admin.settings(topic);
            creator.check(topic, found.replicas(), settings);
            return Optional.of(new TopicStatus(
                    found.id(),
                    admin.offsets(topic, found.led(), OffsetSpec.earliest()),
                    admin.offsets(topic, found.led(), OffsetSpec.latest()),
                    putRight(topic, settings)));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        } catch (TopicAuthorizationException e) {
            throw new TopicRefusedException(topic, String.valueOf(e.getMessage()));
        } catch (KafkaException e) {
            throw new PublishException("topic " + topic + " cannot be looked at: " + e.getMessage(), e);
        }
    }

    @Override
    public TopicStatus create(TableDefinition spec)
            throws PublishException, TopicRefusedException, InterruptedException {
        String topic = ChangeTopic.nameFor(spec.name());
        try {
            Map<String, String> settings = configuration(topic);
            String id = creator.create(topic, spec.partitions(), settings);
            // A leader that does not know its partition yet refuses the first records, and may take those that are sent
            // right behind them. From then on it refuses the first ones for good, and the producer repeats them until
            // it gives up.
            List<Integer> all = IntStream.range(0, spec.partitions()).boxed().toList();
            List<Long> none = admin.offsets(topic, all, OffsetSpec.earliest());
            return new TopicStatus(id, none, none, settings);
        } catch (AuthorizationException
                | PolicyViolationException
                | InvalidReplicationFactorException
                | InvalidTopicException e) {
            throw new TopicRefusedException(topic, "it cannot be made: " + e.getMessage());
        } catch (KafkaException e) {
            throw new PublishException("topic " + topic + " cannot be made: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean delete(TableDefinition spec, TopicStatus found) throws PublishException, InterruptedException {
        String topic = ChangeTopic.nameFor(spec.name());
        try {
            admin.delete(found.id());
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
    public Optional<String> objection(TableDefinition spec, TopicStatus status) {
        String policy = status.settings().getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "");
        if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            return Optional.of("its cleanup.policy is " + policy
                    + ", but a complete copy of a table needs cleanup.policy=compact and nothing else");
        }
        long most = maxMessageBytes(status.settings());
        int needed = room.bytes(ChangeTopic.nameFor(spec.name()));
        if (most < needed) {
            return Optional.of("its max.message.bytes is " + most + ", but the largest row needs " + needed);
        }
        return Optional.empty();
    }

    /**
     * Without its leader nothing is known of a partition, and asking for its end would take until the client gives up.
     */
    private static void requireLeaders(String topic, TopicAdmin.Found found) throws PublishException {
        if (!found.leaderless().isEmpty()) {
            throw new PublishException(
                    "partition " + found.leaderless().get(0) + " of topic " + topic + " has no leader");
        }
    }

    private Map<String, String> configuration(String topic) {
        return Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
                TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, millis(ChangeTopic.MIN_COMPACTION_LAG),
                TopicConfig.DELETE_RETENTION_MS_CONFIG, millis(ChangeTopic.DELETE_RETENTION),
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(room.bytes(topic)),
                // Only a closed segment is compacted, and heartbeats fill segments of idle tables slowly.
                TopicConfig.SEGMENT_MS_CONFIG, millis(Duration.ofHours(1)),
                TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, millis(COMPACTED_AFTER));
    }

    /** A topic that another process created may hold small records only, or be compacted too soon. */
    private Map<String, String> putRight(String topic, Map<String, String> settings) throws InterruptedException {
        if (!isCompacted(settings)) {
            return settings;
        }
        Map<String, String> corrected = corrected(topic, settings);
        if (!corrected.isEmpty()) {
            admin.set(topic, corrected);
            LOGGER.info("Set {} of topic {}", corrected, topic);
        }
        creator.preferBrokerTime(topic, settings);
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(corrected);
        return all;
    }

    /** The settings that do not do for a complete copy of a table, with the values that they need. */
    private Map<String, String> corrected(String topic, Map<String, String> settings) {
        Map<String, String> corrected = new TreeMap<>();
        int needed = room.bytes(topic);
        if (maxMessageBytes(settings) < needed) {
            corrected.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(needed));
        }
        if (isBelow(ChangeTopic.MIN_COMPACTION_LAG, TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, settings)) {
            corrected.put(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, millis(ChangeTopic.MIN_COMPACTION_LAG));
            // Brokers refuse a greatest lag below the least one.
            if (isBelow(ChangeTopic.MIN_COMPACTION_LAG, TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, settings)) {
                corrected.put(TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, millis(COMPACTED_AFTER));
            }
        }
        return corrected;
    }

    private static boolean isCompacted(Map<String, String> settings) {
        return TopicConfig.CLEANUP_POLICY_COMPACT.equals(settings.get(TopicConfig.CLEANUP_POLICY_CONFIG));
    }

    private static boolean isBelow(Duration least, String name, Map<String, String> settings) {
        return Long.parseLong(settings.getOrDefault(name, millis(least))) < least.toMillis();
    }

    private static long maxMessageBytes(Map<String, String> settings) {
        return Long.parseLong(settings.getOrDefault(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "0"));
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
