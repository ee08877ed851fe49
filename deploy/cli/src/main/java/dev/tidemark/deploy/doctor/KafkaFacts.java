package dev.tidemark.deploy.doctor;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one service finds in Kafka. */
public sealed interface KafkaFacts {
    /** Why brokers do not answer, what was expected, and what to do. */
    enum Obstacle {
        NAME("a name that resolves", "Correct kafka.bootstrap.servers."),
        CLOSED("an open port of a broker", "Start the broker, open the firewall, or correct kafka.bootstrap.servers."),
        TLS(
                "a broker with TLS and a certificate that is trusted",
                "Compare kafka.security.protocol with the listener's, and correct kafka.ssl.truststore.location."),
        AUTHENTICATION(
                "a user that the broker knows",
                "Correct kafka.sasl.mechanism and kafka.sasl.jaas.config, or add the user to the brokers."),
        SILENT(
                "an answer of a broker",
                "Compare kafka.security.protocol with the listener's, and advertised.listeners with this network."),
        TOO_OLD("brokers of Kafka 2.1 or newer", "Upgrade the brokers."),
        SETTINGS("settings that Kafka's clients take", "Correct the settings that begin with kafka.");

        final String expected;
        final String advice;

        Obstacle(String expected, String advice) {
            this.expected = expected;
            this.advice = advice;
        }
    }

    /**
     * Brokers do not answer.
     *
     * @param detail without secrets
     */
    record Unreached(Obstacle obstacle, String detail) implements KafkaFacts {}

    /**
     * Brokers answer.
     *
     * @param id of the cluster
     * @param closed why an address of a broker does not open, by address
     * @param features finalized levels by name, such as {@code group.version}
     * @param topics every topic of Tidemark that is there or asked about
     */
    record Cluster(
            String id,
            int brokers,
            Map<String, String> closed,
            Map<String, Integer> features,
            Map<String, Topic> topics,
            Group group)
            implements KafkaFacts {}

    /** Whether a group is there and may be described. */
    enum Access {
        PRESENT,
        ABSENT,
        REFUSED,
        NO_COORDINATOR
    }

    /**
     * The group of a worker.
     *
     * @param operations that are allowed; empty where brokers do not say, and unless it is present
     */
    record Group(Access access, Optional<Set<String>> operations) {}

    /** One topic. */
    sealed interface Topic {}

    /**
     * A topic that is there.
     *
     * @param replicas of the partition that has the fewest
     * @param inSync of the partition that has the fewest
     * @param settings by name; none where they may not be read
     * @param operations that are allowed, as the security page spells them; empty where brokers do not say
     */
    record Present(
            int partitions, int replicas, int inSync, Map<String, String> settings, Optional<Set<String>> operations)
            implements Topic {}

    /**
     * A topic that is not there.
     *
     * @param refusal why brokers would not make it; empty where they would
     */
    record Absent(Optional<String> refusal) implements Topic {}

    /** A topic that may not be described. */
    record Hidden() implements Topic {}
}
