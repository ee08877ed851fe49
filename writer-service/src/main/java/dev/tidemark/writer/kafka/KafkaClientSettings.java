package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of the Kafka clients: ours, then the user's, then those that order and durability rest on. */
public final class KafkaClientSettings {
    private static final int REQUEST_TIMEOUT_MS = 5_000;
    private static final int LEAST_DELIVERY_TIMEOUT_MS = 30_000;

    /** For a relay that is busy when a topic is to be left out. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** What a client holds of one answer of a broker, as it came. Kafka's own 50 MiB is a tenth of a usual heap. */
    private static final int LARGEST_FETCH = 16 << 20;

    private final Map<String, Object> user;

    /**
     * Settings.
     *
     * @param user the settings below {@code kafka.}, without that prefix
     */
    public KafkaClientSettings(Map<String, Object> user) {
        this.user = Map.copyOf(user);
    }

    Properties admin() {
        Properties settings = new Properties();
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "tidemark-writer-admin");
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
        settings.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        putUsers(AdminClientConfig.configNames(), settings);
        return settings;
    }

    /** Settings of a producer for one topic. */
    Properties producer(int maxRequestBytes) {
        return producer(maxRequestBytes, Duration.ZERO);
    }

    /**
     * Settings of a producer. One session dedups and keeps order by itself, so it gets some time before it is given up;
     * a broker that is merely restarted is sat out.
     *
     * @param patience time after which a topic that acknowledges nothing may be left out, at most an hour. Its
     *     records fail later, because a failure gives up those of all topics
     */
    Properties producer(int maxRequestBytes, Duration patience) {
        Properties settings = new Properties();
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "tidemark-writer");
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        // Nothing waits for company: records that come while others are on their way go together anyway.
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int)
                Math.max(LEAST_DELIVERY_TIMEOUT_MS, patience.plus(GRACE).toMillis()));
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_TIMEOUT_MS);
        settings.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        settings.put(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 500);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRequestBytes);
        putUsers(ProducerConfig.configNames(), settings);
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return settings;
    }

    /** Settings of a {@link #reader} that takes one record at a time, because each may be large. */
    Properties oneByOne() {
        Properties settings = reader();
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        return settings;
    }

    /** Settings of a consumer that reads one partition by itself, without a group. */
    Properties reader() {
        Properties settings = new Properties();
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "tidemark-writer-reader");
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, LARGEST_FETCH);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
        settings.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        putUsers(ConsumerConfig.configNames(), settings);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return settings;
    }

    private void putUsers(Set<String> names, Properties settings) {
        names.stream().filter(user::containsKey).forEach(name -> settings.put(name, user.get(name)));
    }
}
