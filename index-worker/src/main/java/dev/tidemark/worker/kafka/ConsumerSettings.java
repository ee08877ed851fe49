package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Settings of the Kafka clients: what the user gave below {@code kafka.}, over presets for short outages, under what
 * the worker relies on.
 *
 * @param groupId consumer group
 * @param instanceId name of this member, by which a worker that is started again gets its partitions back at once;
 *     empty for a new member each time
 * @param maxPollRecords most records of one poll
 * @param given the user's settings, without the prefix
 */
public record ConsumerSettings(String groupId, String instanceId, int maxPollRecords, Map<String, Object> given) {
    /**
     * A client has one fetch under way with each broker. One that asks only for partitions without news, because all
     * others had something left to hand over, keeps those waiting for as long as this; Kafka's own 500 ms showed as
     * stalls of a shard that was catching up.
     */
    private static final int LONGEST_FETCH_MILLIS = 50;

    /** What a client holds of one answer of a broker, as it came. Kafka's own 50 MiB is a tenth of a usual heap. */
    private static final int LARGEST_FETCH = 16 << 20;

    /** Waits that are short against a human's patience and long against a restart of a broker. */
    private static final Map<String, Object> COMMON = Map.of(
            CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 100,
            CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000,
            CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, 500,
            CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 30_000,
            CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 2_000,
            CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
            CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);

    public ConsumerSettings {
        given = Map.copyOf(given);
    }

    /**
     * A lease that ends before the group gives the partitions of a silent member to others.
     *
     * @param wanted as long as this, where the group waits longer, or the broker says how long it waits
     */
    public Duration leaseWithin(Duration wanted) {
        return Optional.ofNullable(consumer().get(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG))
                .map(millis -> Duration.ofMillis(Long.parseLong(millis.toString())))
                .filter(timeout -> timeout.compareTo(wanted) < 0)
                .orElse(wanted);
    }

    Map<String, Object> admin(String role) {
        Map<String, Object> settings = new HashMap<>(COMMON);
        settings.putAll(given);
        settings.keySet().removeIf(key -> !AdminClientConfig.configNames().contains(key));
        settings.put(AdminClientConfig.CLIENT_ID_CONFIG, "tidemark-worker-" + role);
        return settings;
    }

    Map<String, Object> consumer() {
        Map<String, Object> settings = new HashMap<>(COMMON);
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_500);
        settings.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxPollRecords);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, LONGEST_FETCH_MILLIS);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, LARGEST_FETCH);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "tidemark-worker");
        settings.putAll(given);
        if (isConsumerProtocol(settings)) {
            // With the newer protocol these are the broker's to say.
            settings.remove(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
            settings.remove(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG);
            settings.remove(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
        }
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        if (!instanceId.isEmpty()) {
            settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instanceId);
        }
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return ofBytes(settings);
    }

    private static Map<String, Object> ofBytes(Map<String, Object> settings) {
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        return settings;
    }

    private static boolean isConsumerProtocol(Map<String, Object> settings) {
        return "consumer".equalsIgnoreCase(String.valueOf(settings.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG)));
    }

    /**
     * Whether this is a static member of a classic group. When such a member is started again, brokers give it the
     * partitions that it had, although it follows other topics now (KAFKA-12759).
     */
    boolean isClassicStaticMember() {
        return !instanceId.isEmpty() && !isConsumerProtocol(given);
    }

    /** Settings of a {@link #reader} that takes one record at a time, because each may be large. */
    Map<String, Object> oneByOne(String role) {
        Map<String, Object> settings = reader(role);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        return settings;
    }

    /**
     * Settings of a consumer that reads a topic by itself, from its beginning and without the group.
     *
     * @param role whose it is, as the brokers see it
     */
    Map<String, Object> reader(String role) {
        Map<String, Object> settings = new HashMap<>(COMMON);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, LARGEST_FETCH);
        settings.putAll(given);
        settings.keySet().removeIf(key -> !ConsumerConfig.configNames().contains(key));
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        settings.remove(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "tidemark-worker-" + role);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return ofBytes(settings);
    }
}
