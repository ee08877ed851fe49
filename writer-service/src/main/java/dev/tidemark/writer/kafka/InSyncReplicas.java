package dev.tidemark.writer.kafka;

import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.config.TopicConfig;

/**
 * How many replicas must have a record before the topic acknowledges it. With {@code acks=all} those that are in sync
 * have it, and by Kafka's preset the leader alone may be all of them.
 */
final class InSyncReplicas {
    /** With as many replicas a topic takes records while one of them is away, and still has each record twice. */
    private static final int MANY = 3;

    private static final int LEAST = 2;

    private InSyncReplicas() {}

    /** Returns the settings that a topic with this number of replicas needs beside the presets. */
    static Map<String, String> settingsFor(int replicas) {
        return replicas < MANY ? Map.of() : Map.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(LEAST));
    }

    /** Whether a topic acknowledges records that one replica has, although it has many. */
    static boolean areTooFew(int replicas, Map<String, String> settings) {
        return replicas >= MANY && least(settings) < LEAST;
    }

    /** What an operator should know of a topic; empty when nothing is to be done. */
    static Optional<String> warning(String topic, int replicas, Map<String, String> settings) {
        if (!areTooFew(replicas, settings)) {
            return Optional.empty();
        }
        return Optional.of("Topic " + topic + " has " + replicas + " replicas and "
                + TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG + "=" + least(settings)
                + ": it acknowledges a record that one broker has, and loses it with that broker. Set "
                + TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG + "=" + LEAST + " on it");
    }

    private static int least(Map<String, String> settings) {
        return Integer.parseInt(settings.getOrDefault(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1"));
    }
}
