package dev.tidemark.writer.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;

/** The topics of a real cluster. */
record KafkaTopicAdmin(AdminConnection admin) implements TopicAdmin {
    @Override
    public Found find(String topic) throws InterruptedException {
        TopicDescription description = Objects.requireNonNull(
                admin.ask(client -> client.describeTopics(List.of(topic)).allTopicNames())
                        .get(topic));
        List<TopicPartitionInfo> partitions = description.partitions();
        int replicas = partitions.stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        List<Integer> leaderless = partitions.stream()
                .filter(partition ->
                        partition.leader() == null || partition.leader().isEmpty())
                .map(TopicPartitionInfo::partition)
                .toList();
        return new Found(description.topicId().toString(), partitions.size(), replicas, leaderless);
    }

    @Override
    public Created create(String topic, int partitions, Optional<Short> replicas, Map<String, String> settings)
            throws InterruptedException {
        NewTopic wanted = new NewTopic(topic, Optional.of(partitions), replicas).configs(settings);
        return admin.ask(client -> created(client.createTopics(List.of(wanted)), topic));
    }

    private static KafkaFuture<Created> created(CreateTopicsResult result, String topic) {
        KafkaFuture<Uuid> id = result.topicId(topic);
        KafkaFuture<Integer> replicas = result.replicationFactor(topic);
        KafkaFuture<Config> config = result.config(topic);
        return KafkaFuture.allOf(id, replicas, config)
                .thenApply(all -> new Created(of(id).toString(), of(replicas), settings(of(config))));
    }

    /** The value of a future that is complete. */
    private static <T> T of(KafkaFuture<T> complete) {
        return complete.toCompletionStage().toCompletableFuture().join();
    }

    @Override
    public void delete(String id) throws InterruptedException {
        TopicCollection topics = TopicCollection.ofTopicIds(List.of(Uuid.fromString(id)));
        admin.ask(client -> client.deleteTopics(topics).all());
    }

    @Override
    public Map<String, String> settings(String topic) throws InterruptedException {
        ConfigResource resource = resource(topic);
        return settings(Objects.requireNonNull(
                admin.ask(client -> client.describeConfigs(List.of(resource)).all())
                        .get(resource)));
    }

    private static Map<String, String> settings(Config config) {
        Map<String, String> settings = new TreeMap<>();
        for (ConfigEntry entry : config.entries()) {
            if (entry.value() != null) {
                settings.put(entry.name(), entry.value());
            }
        }
        return settings;
    }

    @Override
    public void set(String topic, Map<String, String> settings) throws InterruptedException {
        List<AlterConfigOp> changes = settings.entrySet().stream()
                .map(one -> new AlterConfigOp(new ConfigEntry(one.getKey(), one.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        admin.ask(client ->
                client.incrementalAlterConfigs(Map.of(resource(topic), changes)).all());
    }

    @Override
    public List<Long> offsets(String topic, List<Integer> partitions, OffsetSpec which) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(p -> wanted.put(new TopicPartition(topic, p), which));
        Map<Integer, Long> offsets = new TreeMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> offset :
                admin.ask(client -> client.listOffsets(wanted).all()).entrySet()) {
            offsets.put(offset.getKey().partition(), offset.getValue().offset());
        }
        return List.copyOf(offsets.values());
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }
}
