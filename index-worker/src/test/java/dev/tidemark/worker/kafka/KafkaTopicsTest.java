package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.shard.PartitionInfoSource;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaTopicsTest {
    private static final ShardId LED = new ShardId("films", 0);
    private static final ShardId LEADERLESS = new ShardId("films", 1);
    private static final ShardId FORBIDDEN = new ShardId("people", 0);

    private final KafkaTopics topics = new KafkaTopics(new PartlyAnsweringAdmin());

    @AfterEach
    void close() {
        topics.close();
    }

    @Test
    void aPartitionWithoutALeaderLeavesTheEndsOfOthersKnown() {
        EndOffsets.Ends ends = topics.endOffsets(List.of(LEADERLESS, LED, FORBIDDEN));

        assertThat(ends.found()).isEqualTo(Map.of(LED, 7L));
        assertThat(ends.unanswered().get(LEADERLESS)).contains("none came in time");
        assertThat(ends.unanswered().get(FORBIDDEN)).contains("Not authorized");
    }

    @Test
    void aTopicThatMayNotBeDescribedLeavesTheOthersKnown() {
        TopicWatchAgent.Topics.Described described = topics.describe(Set.of("films", "people", "plays"));

        assertThat(described.found()).containsOnlyKeys("films");
        assertThat(described.unanswered()).containsOnlyKeys("people");
        assertThat(described.unanswered().get("people")).contains("Not authorized");
    }

    @Test
    void tellsHowLongATopicKeepsMarksOfDeletesAndLeavesRecordsAlone() {
        PartitionInfoSource.PartitionInfo fact = topics.ask(LED);

        assertThat(fact.deleteRetention()).contains(Duration.ofDays(7));
        assertThat(fact.compactionLag()).contains(Duration.ofMinutes(6));
    }

    /** Tells of the first partition of films, nothing of the second, and refuses people; there are no plays. */
    private static final class PartlyAnsweringAdmin extends ForwardingAdmin {
        PartlyAnsweringAdmin() {
            super(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1"));
        }

        @Override
        public ListOffsetsResult listOffsets(Map<TopicPartition, OffsetSpec> partitions, ListOffsetsOptions options) {
            Map<TopicPartition, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> futures = new HashMap<>();
            partitions.keySet().forEach(partition -> futures.put(partition, end(Partitions.shard(partition))));
            return new ListOffsetsResult(futures);
        }

        @Override
        public DescribeTopicsResult describeTopics(TopicCollection asked, DescribeTopicsOptions options) {
            Map<String, KafkaFuture<TopicDescription>> futures = new HashMap<>();
            Collection<String> names = ((TopicCollection.TopicNameCollection) asked).topicNames();
            names.forEach(topic -> futures.put(topic, description(topic)));
            return new Descriptions(futures);
        }

        @Override
        public DescribeConfigsResult describeConfigs(Collection<ConfigResource> asked, DescribeConfigsOptions options) {
            Map<ConfigResource, KafkaFuture<Config>> futures = new HashMap<>();
            asked.forEach(topic -> futures.put(
                    topic,
                    KafkaFuture.completedFuture(new Config(List.of(
                            new ConfigEntry(TopicConfig.DELETE_RETENTION_MS_CONFIG, "604800000"),
                            new ConfigEntry(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, "360000"))))));
            return new Settings(futures);
        }

        private static KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo> end(ShardId shard) {
            KafkaFutureImpl<ListOffsetsResult.ListOffsetsResultInfo> future = new KafkaFutureImpl<>();
            if (shard.equals(LED)) {
                future.complete(new ListOffsetsResult.ListOffsetsResultInfo(7, -1, Optional.empty()));
            } else if (shard.equals(FORBIDDEN)) {
                future.completeExceptionally(new TopicAuthorizationException(Set.of(shard.table())));
            }
            return future;
        }

        private static KafkaFuture<TopicDescription> description(String topic) {
            KafkaFutureImpl<TopicDescription> future = new KafkaFutureImpl<>();
            if (topic.endsWith("films")) {
                future.complete(new TopicDescription(topic, false, List.of(), Set.of(), Uuid.randomUuid()));
            } else if (topic.endsWith("people")) {
                future.completeExceptionally(new TopicAuthorizationException(Set.of(topic)));
            } else {
                future.completeExceptionally(new UnknownTopicOrPartitionException("no such topic"));
            }
            return future;
        }
    }

    private static final class Settings extends DescribeConfigsResult {
        Settings(Map<ConfigResource, KafkaFuture<Config>> futures) {
            super(futures);
        }
    }

    private static final class Descriptions extends DescribeTopicsResult {
        Descriptions(Map<String, KafkaFuture<TopicDescription>> futures) {
            super(null, futures);
        }
    }
}
