package dev.tidemark.deploy.doctor;

import java.util.Map;
import java.util.Optional;

/** Asks a Kafka cluster, with the rights of a service, and changes nothing there. */
@FunctionalInterface
public interface KafkaLook {
    /**
     * What is looked for.
     *
     * @param settings of the clients, without the prefix
     * @param topics that are needed, with their partitions; they are made by validation only
     * @param replicas of topics that would be made; empty for the brokers' default
     */
    record Question(
            Map<String, Object> settings, Map<String, Integer> topics, Optional<Short> replicas, String group) {}

    /** Waits some seconds for each answer at most. */
    KafkaFacts look(Question question) throws InterruptedException;
}
