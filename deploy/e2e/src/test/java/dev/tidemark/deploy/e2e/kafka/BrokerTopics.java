package dev.tidemark.deploy.e2e.kafka;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

import dev.tidemark.change.ChangeTopic;

/** The change topics as the broker has them. Owned by one thread. */
public final class BrokerTopics implements AutoCloseable {
    private final Admin admin;

    public BrokerTopics(String bootstrapServers) {
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    /**
     * A topic.
     *
     * @param id another one after the topic was deleted and made again
     * @param cleanupPolicy the setting of that name
     */
    public record Found(String id, int partitions, String cleanupPolicy) {}

    /** The topic of a table; empty where there is none. */
    public Optional<Found> find(String table) throws InterruptedException {
        String topic = ChangeTopic.nameFor(table);
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            TopicDescription found = Objects.requireNonNull(
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
            String policy = Objects.requireNonNull(
                            admin.describeConfigs(List.of(resource)).all().get().get(resource))
                    .get(TopicConfig.CLEANUP_POLICY_CONFIG)
                    .value();
            return Optional.of(
                    new Found(found.topicId().toString(), found.partitions().size(), policy));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw new IllegalStateException("Expected the broker to describe " + topic, e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
