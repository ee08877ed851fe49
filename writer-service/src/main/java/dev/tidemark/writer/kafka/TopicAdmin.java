package dev.tidemark.writer.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.OffsetSpec;

/**
 * The topics of a cluster. Each call waits for the answer; every failure is a
 * {@link org.apache.kafka.common.KafkaException}.
 */
interface TopicAdmin {
    /**
     * A topic as the cluster has it.
     *
     * @param id the cluster's identity of the topic
     * @param replicas of the partition that has the fewest
     * @param leaderless the partitions without a leader
     */
    record Found(String id, int partitions, int replicas, List<Integer> leaderless) {
        public Found {
            leaderless = List.copyOf(leaderless);
        }

        /** The partitions that have a leader. */
        List<Integer> led() {
            return IntStream.range(0, partitions)
                    .boxed()
                    .filter(partition -> !leaderless.contains(partition))
                    .toList();
        }
    }

    /**
     * A topic that was created just now.
     *
     * @param id as in {@link Found}
     * @param settings by name, those that the cluster chose included
     */
    record Created(String id, int replicas, Map<String, String> settings) {}

    /**
     * The topic of a name.
     *
     * @throws org.apache.kafka.common.errors.UnknownTopicOrPartitionException when there is none
     */
    Found find(String topic) throws InterruptedException;

    /**
     * Creates a topic.
     *
     * @param replicas of each partition; empty for the broker's default
     * @throws org.apache.kafka.common.errors.TopicExistsException when there is one of that name
     */
    Created create(String topic, int partitions, Optional<Short> replicas, Map<String, String> settings)
            throws InterruptedException;

    /**
     * Deletes a topic with its records.
     *
     * @param id as in {@link Found}
     * @throws org.apache.kafka.common.errors.UnknownTopicIdException when there is none
     */
    void delete(String id) throws InterruptedException;

    /** All settings of a topic by name, presets included. */
    Map<String, String> settings(String topic) throws InterruptedException;

    /** Changes these settings of a topic and no others. */
    void set(String topic, Map<String, String> settings) throws InterruptedException;

    /** An offset of each of some partitions, in their order. */
    List<Long> offsets(String topic, List<Integer> partitions, OffsetSpec which) throws InterruptedException;
}
