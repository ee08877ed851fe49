package dev.tidemark.writer.kafka;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.record.TimestampType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates topics that keep what they acknowledge when a broker is lost, as far as the number of replicas allows it.
 * With {@code acks=all} the replicas that are in sync have what a topic acknowledges, and by Kafka's preset the leader
 * alone may be all of them. Topics that another process created are left as they are. For one thread.
 */
final class TopicCreator {
    private static final Logger LOGGER = LoggerFactory.getLogger(TopicCreator.class);

    /** With as many replicas a topic takes records while one of them is away, and still has each record twice. */
    private static final int MANY = 3;

    private static final int LEAST = 2;

    /**
     * The time of a record is the broker's. By that of the writer's machine, brokers would refuse records of a machine
     * that is an hour ahead, and compact those of one that is behind too soon.
     */
    private static final Map<String, String> BROKER_TIME =
            Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, TimestampType.LOG_APPEND_TIME.name);

    private final TopicAdmin admin;
    private final Optional<Short> replicationFactor;

    /** Topics of which nothing is to be logged any more. */
    private final Set<String> settled = new HashSet<>();

    /** Topics that the cluster does not let go by the broker's time. */
    private final Set<String> keepingTime = new HashSet<>();

    /**
     * A creator.
     *
     * @param replicationFactor of the topics; empty for the broker's default
     */
    TopicCreator(TopicAdmin admin, Optional<Short> replicationFactor) {
        this.admin = admin;
        this.replicationFactor = replicationFactor;
    }

    /**
     * Creates a topic. It may exist when this fails.
     *
     * @return its id
     * @throws org.apache.kafka.common.KafkaException as {@link TopicAdmin#create} and {@link TopicAdmin#set}
     */
    String create(String topic, int partitions, Map<String, String> settings) throws InterruptedException {
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(BROKER_TIME);
        replicationFactor.map(TopicCreator::settingsFor).ifPresent(all::putAll);
        TopicAdmin.Created created = admin.create(topic, partitions, replicationFactor, all);
        LOGGER.info("Created topic {} with {} partitions of {} replicas", topic, partitions, created.replicas());
        // The broker's default is known only now.
        if (areTooFew(created.replicas(), created.settings())) {
            admin.set(topic, settingsFor(created.replicas()));
        }
        // Brokers may show the old setting for a moment.
        settled.add(topic);
        return created.id();
    }

    /** Logs once what is wrong with a topic that another process, or an earlier run, created. */
    void check(String topic, int replicas, Map<String, String> settings) {
        warning(topic, replicas, settings)
                .filter(warning -> settled.add(topic))
                .ifPresent(warning -> LOGGER.warn("{}", warning));
    }

    /** Has a topic of an earlier version go by the broker's time, unless the cluster refuses that. */
    void preferBrokerTime(String topic, Map<String, String> settings) throws InterruptedException {
        if (settings.entrySet().containsAll(BROKER_TIME.entrySet()) || keepingTime.contains(topic)) {
            return;
        }
        try {
            admin.set(topic, BROKER_TIME);
            LOGGER.info("Set {} of topic {}", BROKER_TIME, topic);
        } catch (InvalidConfigurationException | PolicyViolationException e) {
            // A missing permission is among the former.
            keepingTime.add(topic);
            LOGGER.warn(
                    "Topic {} may not be given {}: {}. Brokers may refuse a writer whose clock is wrong",
                    topic,
                    BROKER_TIME,
                    e.getMessage());
        }
    }

    /** Returns the settings that a topic with this number of replicas needs beside the presets. */
    static Map<String, String> settingsFor(int replicas) {
        return replicas < MANY ? Map.of() : Map.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(LEAST));
    }

    /** Whether a topic acknowledges records that one replica has, although it has many. */
    static boolean areTooFew(int replicas, Map<String, String> settings) {
        return replicas >= MANY && least(settings) < LEAST;
    }

    /** What an operator should know of a topic; empty when nothing is to be done. */
    static Optional<String> warning(String topic, int replicas, Map<String, String> settings) {
        if (!areTooFew(replicas, settings)) {
            return Optional.empty();
        }
        return Optional.of("Topic " + topic + " has " + replicas + " replicas and "
                + TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG + "=" + least(settings)
                + ": it acknowledges a record that one broker has, and loses it with that broker. Set "
                + TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG + "=" + LEAST + " on it");
    }

    private static int least(Map<String, String> settings) {
        return Integer.parseInt(settings.getOrDefault(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1"));
    }
}
