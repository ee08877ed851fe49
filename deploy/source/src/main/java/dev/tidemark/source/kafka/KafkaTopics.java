package dev.tidemark.source.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

import dev.tidemark.kafka.Interruptions;
import dev.tidemark.source.topic.Topics;

/** Topics of Kafka. */
public final class KafkaTopics implements Topics {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofMillis(100);
    private static final String MOST_FETCHED = Integer.toString(8 << 20);

    private final Map<String, Object> settings;
    private final List<String> names;
    private final Admin admin;

    /**
     * Topics of these names.
     *
     * @param settings of the Kafka clients
     */
    public KafkaTopics(Map<String, Object> settings, List<String> names) {
        this.settings = Map.copyOf(settings);
        this.names = List.copyOf(names);
        this.admin = Admin.create(this.settings);
    }

    @Override
    public Found look() throws TopicsException, InterruptedException {
        Map<String, TopicDescription> described =
                answer(admin.describeTopics(names).allTopicNames());
        List<TopicPartition> places = described.values().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                .toList();
        Map<TopicPartition, Long> ends = offsets(places, OffsetSpec.latest());
        // After the ends: where a topic is created again between the two, the beginning is the smaller offset.
        Map<TopicPartition, Long> begins = offsets(places, OffsetSpec.earliest());
        Map<ConfigResource, Config> configs = answer(admin.describeConfigs(names.stream()
                        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                        .toList())
                .all());
        Map<String, Topic> found = new HashMap<>();
        configs.forEach((resource, config) -> found.put(
                resource.name(), topic(resource.name(), described.get(resource.name()), config, begins, ends)));
        return new Found(found);
    }

    private static Topic topic(
            String name,
            @Nullable TopicDescription description,
            Config config,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends) {
        if (description == null) {
            throw new IllegalStateException("Expected a description of topic " + name);
        }
        List<Range> partitions = new ArrayList<>();
        for (int number = 0; number < description.partitions().size(); number++) {
            TopicPartition place = new TopicPartition(name, number);
            partitions.add(new Range(begins.getOrDefault(place, 0L), ends.getOrDefault(place, 0L)));
        }
        return new Topic(description.topicId().toString(), compaction(config), partitions);
    }

    /** Not every broker reports every setting: then it may be as Kafka has it where it is not set. */
    static Optional<Compaction> compaction(Config config) {
        String policy = value(config, TopicConfig.CLEANUP_POLICY_CONFIG).orElse(TopicConfig.CLEANUP_POLICY_DELETE);
        return policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT)
                ? Optional.of(new Compaction(
                        millis(config, TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, Duration.ZERO),
                        millis(config, TopicConfig.DELETE_RETENTION_MS_CONFIG, Duration.ofDays(1))))
                : Optional.empty();
    }

    private static Duration millis(Config config, String name, Duration unset) {
        return value(config, name).map(Long::valueOf).map(Duration::ofMillis).orElse(unset);
    }

    private static Optional<String> value(Config config, String name) {
        return Optional.ofNullable(config.get(name)).map(ConfigEntry::value);
    }

    private Map<TopicPartition, Long> offsets(List<TopicPartition> places, OffsetSpec which)
            throws TopicsException, InterruptedException {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        answer(admin.listOffsets(
                                places.stream().collect(Collectors.toMap(place -> place, place -> which)),
                                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all())
                .forEach((place, found) -> offsets.put(place, found.offset()));
        return offsets;
    }

    private static <T> T answer(KafkaFuture<T> future) throws TopicsException, InterruptedException {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new TopicsException("the topics cannot be looked at: " + cause.getMessage(), e);
        } catch (TimeoutException e) {
            throw new TopicsException("Kafka does not answer within " + PATIENCE.toSeconds() + " s", e);
        }
    }

    @Override
    public Reading read(Map<Place, Long> from) {
        Map<String, Object> own = new HashMap<>(settings);
        own.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, MOST_FETCHED);
        own.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "2000");
        own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        own.remove(ConsumerConfig.GROUP_ID_CONFIG);
        Consumer<String, String> consumer =
                new KafkaConsumer<>(own, new StringDeserializer(), new StringDeserializer());
        Map<TopicPartition, Place> places = new HashMap<>();
        from.keySet().forEach(place -> places.put(new TopicPartition(place.topic(), place.number()), place));
        consumer.assign(places.keySet());
        from.forEach((place, offset) -> consumer.seek(new TopicPartition(place.topic(), place.number()), offset));
        return new Records(consumer, places);
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }

    /** A consumer under way. */
    private record Records(Consumer<String, String> consumer, Map<TopicPartition, Place> places) implements Reading {
        @Override
        public List<Message> poll() throws TopicsException, InterruptedException {
            try {
                List<Message> messages = new ArrayList<>();
                for (ConsumerRecord<String, String> one : consumer.poll(WAIT)) {
                    messages.add(new Message(
                            new Place(one.topic(), one.partition()),
                            one.offset(),
                            Optional.ofNullable(one.key()),
                            Optional.ofNullable(one.value())));
                }
                return messages;
            } catch (InterruptException e) {
                throw Interruptions.checked(e);
            } catch (KafkaException e) {
                throw failed(e);
            }
        }

        @Override
        public Map<Place, Long> positions() throws TopicsException {
            try {
                Map<Place, Long> positions = new HashMap<>();
                places.forEach((partition, place) -> positions.put(place, consumer.position(partition)));
                return positions;
            } catch (KafkaException e) {
                throw failed(e);
            }
        }

        private static TopicsException failed(KafkaException e) {
            return new TopicsException("the topics cannot be read: " + e.getMessage(), e);
        }

        @Override
        public void close() {
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }
}
