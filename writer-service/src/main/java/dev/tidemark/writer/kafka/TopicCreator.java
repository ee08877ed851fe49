package dev.tidemark.writer.kafka;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates topics that keep what they acknowledge when a broker is lost, as far as the number of replicas allows it.
 * Topics that another process created are left as they are. For one thread.
 */
final class TopicCreator {
    private static final Logger LOGGER = LoggerFactory.getLogger(TopicCreator.class);

    private final TopicAdmin admin;
    private final Optional<Short> replicationFactor;

    /** Topics of which nothing is to be logged any more. */
    private final Set<String> settled = new HashSet<>();

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
        replicationFactor.map(InSyncReplicas::settingsFor).ifPresent(all::putAll);
        TopicAdmin.Created created = admin.create(topic, partitions, replicationFactor, all);
        LOGGER.info("Created topic {} with {} partitions of {} replicas", topic, partitions, created.replicas());
        // The broker's default is known only now.
        if (InSyncReplicas.areTooFew(created.replicas(), created.settings())) {
            admin.set(topic, InSyncReplicas.settingsFor(created.replicas()));
        }
        // Brokers may show the old setting for a moment.
        settled.add(topic);
        return created.id();
    }

    /** Logs once what is wrong with a topic that another process, or an earlier run, created. */
    void check(String topic, int replicas, Map<String, String> settings) {
        InSyncReplicas.warning(topic, replicas, settings)
                .filter(warning -> settled.add(topic))
                .ifPresent(warning -> LOGGER.warn("{}", warning));
    }
}
