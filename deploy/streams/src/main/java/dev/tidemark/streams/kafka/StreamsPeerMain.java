package dev.tidemark.streams.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.apache.kafka.streams.state.Stores;

/**
 * Runs the application from nothing until it has processed what the topic held when it began, and prints how many
 * nanoseconds there were between the first record and the last.
 */
public final class StreamsPeerMain {
    private static final int THREADS = 2;

    private StreamsPeerMain() {}

    /** Arguments: brokers, topic, an empty directory, the processing guarantee, a name that was not used before. */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        Progress progress = new Progress(ends(arguments[0], arguments[1]));
        KafkaStreams streams = new KafkaStreams(
                topology(arguments[1], progress), settings(arguments[0], arguments[2], arguments[3], arguments[4]));
        streams.setUncaughtExceptionHandler(
                failure -> StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_APPLICATION);
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.ERROR) {
                Runtime.getRuntime().halt(1);
            }
        });
        streams.start();
        System.out.println(progress.await());
        streams.close();
    }

    private static Topology topology(String topic, Progress progress) {
        return new Topology()
                .addSource("changes", topic)
                .addProcessor("index", () -> new IndexProcessor(progress), "changes")
                .addStateStore(
                        Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(IndexProcessor.ENTRY_OF_ROW),
                                Serdes.Bytes(),
                                Serdes.ByteArray()),
                        "index")
                .addStateStore(
                        Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(IndexProcessor.ENTRIES),
                                Serdes.Bytes(),
                                Serdes.ByteArray()),
                        "index");
    }

    /** Kafka Streams' own, but for what has to be said. */
    private static Properties settings(String brokers, String directory, String guarantee, String name) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, name);
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, THREADS);
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
        settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class);
        settings.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class);
        settings.put(StreamsConfig.producerPrefix("compression.type"), "lz4");
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        return settings;
    }

    private static Map<Integer, Long> ends(String brokers, String topic)
            throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                    .flatMap(described -> described.partitions().stream())
                    .forEach(partition ->
                            asked.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest()));
            Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> found =
                    admin.listOffsets(asked).all().get();
            return found.entrySet().stream()
                    .filter(end -> end.getValue().offset() > 0)
                    .collect(Collectors.toMap(
                            end -> end.getKey().partition(),
                            end -> end.getValue().offset()));
        }
    }
}
