package dev.tidemark.streams.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The application: its topology and its settings.
 *
 * @param brokers where the brokers listen
 * @param topic of the changes
 * @param directory for the stores
 * @param guarantee the processing guarantee, as Kafka Streams spells it
 * @param name of the application: its group, and the beginning of the names of its topics
 */
record StreamsApp(String brokers, String topic, String directory, String guarantee, String name) {
    private static final int THREADS = 2;

    /** Makes it, not started; a thread of it that fails ends the process. */
    KafkaStreams make(ProcessingProgress progress) {
        KafkaStreams streams = new KafkaStreams(topology(progress), settings());
        streams.setUncaughtExceptionHandler(
                failure -> StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_APPLICATION);
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.ERROR) {
                Runtime.getRuntime().halt(1);
            }
        });
        return streams;
    }

    private Topology topology(ProcessingProgress progress) {
        return new Topology()
                .addSource("changes", topic)
                .addProcessor("index", () -> new IndexProcessor(progress), "changes")
                .addStateStore(store(IndexProcessor.ENTRY_OF_ROW), "index")
                .addStateStore(store(IndexProcessor.ENTRIES), "index");
    }

    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray());
    }

    /** Kafka Streams' own, but for what has to be said. */
    private Properties settings() {
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
        // Like Tidemark's worker: a returning member is recognized, and does not wait for its earlier session to
        // expire.
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), name);
        return settings;
    }

    /** For each partition with records the offset after the last one. */
    Map<Integer, Long> ends() throws ExecutionException, InterruptedException {
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

    /** How far a topic of at most {@value #PARTITIONS} partitions has been processed. For any thread. */
    static final class ProcessingProgress {
        private static final int PARTITIONS = 64;
        private static final long NOT_YET = Long.MIN_VALUE;
        private static final long STEP_MILLIS = 1;

        private final AtomicLong began = new AtomicLong(NOT_YET);
        private final AtomicLongArray next = new AtomicLongArray(PARTITIONS);

        /** A record is about to be processed. */
        void begins() {
            if (began.get() == NOT_YET) {
                began.compareAndSet(NOT_YET, System.nanoTime());
            }
        }

        /** The record at that place has been processed. */
        void done(int partition, long offset) {
            next.lazySet(partition, offset + 1);
        }

        /**
         * Waits until these ends are reached, to the millisecond.
         *
         * @param ends for each partition the offset after the last record
         * @return how many nanoseconds it was from the first record to then
         */
        long await(Map<Integer, Long> ends) throws InterruptedException {
            while (!ends.entrySet().stream().allMatch(end -> next.get(end.getKey()) >= end.getValue())) {
                Thread.sleep(STEP_MILLIS);
            }
            return System.nanoTime() - began.get();
        }
    }
}
