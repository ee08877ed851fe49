package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.shard.PartitionInfoSource;
import dev.tidemark.worker.store.ShardId;

/** What the brokers say about topics. Every question has a time limit of a few seconds. */
public final class KafkaTopics implements PartitionInfoSource, TopicWatchAgent.Topics, EndOffsets, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /**
     * Shorter than a count of records behind lives, so that a partition without a leader makes no other count grow old.
     */
    private static final Duration PATIENCE_FOR_ENDS = Duration.ofMillis(1_500);

    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaTopics.class);

    private final Admin admin;

    /**
     * Creates a separate admin client.
     *
     * @param role names the owner of the client to the brokers
     */
    public KafkaTopics(ConsumerSettings settings, String role) {
        this(Admin.create(settings.admin(role)));
    }

    /** Asks through a client, which it closes in the end. */
    KafkaTopics(Admin admin) {
        this.admin = admin;
    }

    @Override
    public PartitionInfo ask(ShardId shard) {
        String topic = ChangeTopic.nameFor(shard.table());
        TopicDescription description =
                answer(admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
        long end = offset(shard, OffsetSpec.latest());
        // Read after the end: if the topic is recreated between the two reads, the start is the smaller offset.
        long start = offset(shard, OffsetSpec.earliest());
        Optional<Config> settings = settings(topic);
        return new PartitionInfo(
                description.topicId().toString(),
                start,
                end,
                duration(settings, TopicConfig.DELETE_RETENTION_MS_CONFIG),
                duration(settings, TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG));
    }

    private long offset(ShardId shard, OffsetSpec which) {
        TopicPartition partition = Partitions.of(shard);
        return answer(admin.listOffsets(Map.of(partition, which)).partitionResult(partition))
                .offset();
    }

    /**
     * Reads the settings of a topic, which an operator may set otherwise than the writer does. Empty when this client
     * has no permission to read them.
     */
    private Optional<Config> settings(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            return Optional.of(
                    answer(admin.describeConfigs(List.of(resource)).values().get(resource)));
        } catch (Answers.UnansweredException e) {
            if (e.getCause() instanceof AuthorizationException) {
                LOGGER.warn(
                        "How long topic {} keeps marks of deletes and leaves records alone is not known, because that"
                                + " may not be asked",
                        topic);
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Optional<Duration> duration(Optional<Config> settings, String name) {
        return settings.map(known -> known.get(name)).map(entry -> Duration.ofMillis(Long.parseLong(entry.value())));
    }

    @Override
    public Described describe(Set<String> tables) {
        Map<String, KafkaFuture<TopicDescription>> futures = new HashMap<>();
        Map<String, KafkaFuture<TopicDescription>> byTopic = admin.describeTopics(
                        tables.stream().map(ChangeTopic::nameFor).toList())
                .topicNameValues();
        tables.forEach(table -> futures.put(table, Objects.requireNonNull(byTopic.get(ChangeTopic.nameFor(table)))));
        Answers<String, TopicDescription> answers = Answers.of(futures, PATIENCE);
        Map<String, Topic> found = new HashMap<>();
        answers.found()
                .forEach((table, topic) -> found.put(
                        table,
                        new Topic(topic.topicId().toString(), topic.partitions().size())));
        Map<String, String> unanswered = new HashMap<>();
        answers.failed().forEach((table, failure) -> {
            if (!(failure.getCause() instanceof UnknownTopicOrPartitionException)) {
                unanswered.put(table, String.valueOf(failure.getMessage()));
            }
        });
        return new Described(found, unanswered);
    }

    @Override
    public Ends endOffsets(Collection<ShardId> shards) {
        Map<TopicPartition, OffsetSpec> question =
                shards.stream().collect(Collectors.toMap(Partitions::of, shard -> OffsetSpec.latest()));
        ListOffsetsResult result = admin.listOffsets(question);
        Map<ShardId, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> futures = new HashMap<>();
        shards.forEach(shard -> futures.put(shard, result.partitionResult(Partitions.of(shard))));
        Answers<ShardId, ListOffsetsResult.ListOffsetsResultInfo> answers = Answers.of(futures, PATIENCE_FOR_ENDS);
        Map<ShardId, Long> found = new HashMap<>();
        answers.found().forEach((shard, end) -> found.put(shard, end.offset()));
        Map<ShardId, String> unanswered = new HashMap<>();
        answers.failed().forEach((shard, failure) -> unanswered.put(shard, String.valueOf(failure.getMessage())));
        return new Ends(found, unanswered);
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }

    private static <T> T answer(@Nullable KafkaFuture<T> future) {
        return Answers.answer(Objects.requireNonNull(future, "an answer for each question"), PATIENCE);
    }
}
