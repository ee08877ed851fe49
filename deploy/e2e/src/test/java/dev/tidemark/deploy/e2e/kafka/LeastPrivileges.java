package dev.tidemark.deploy.e2e.kafka;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A broker that asks who a client is, and what writer and worker may do there: what docs/security.md says and no more.
 */
public final class LeastPrivileges {
    private static final String GROUPS = "tidemark-index-worker";
    private static final String TOPICS = "tidemark.";

    private LeastPrivileges() {}

    /**
     * Settings of a broker that has a listener for known clients on the port, beside the one for whoever administers
     * it.
     */
    public static Map<String, String> broker(int administration, int controller, int port) {
        Map<String, String> settings = new TreeMap<>();
        String plain = "CLIENTS://127.0.0.1:" + administration;
        String known = "KNOWN://127.0.0.1:" + port;
        settings.put("listeners", plain + ",CONTROLLER://127.0.0.1:" + controller + "," + known);
        settings.put("advertised.listeners", plain + "," + known);
        settings.put("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,KNOWN:SASL_PLAINTEXT");
        settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        settings.put("super.users", "User:ANONYMOUS");
        settings.put("listener.name.known.sasl.enabled.mechanisms", "PLAIN");
        settings.put(
                "listener.name.known.plain.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required user_writer=\"of-writer\""
                        + " user_worker=\"of-worker\";");
        return settings;
    }

    /** Settings of the Kafka clients of a service. */
    public static Map<String, String> client(String principal) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + principal
                        + "\" password=\"of-" + principal + "\";");
    }

    /** Allows both what they need. */
    public static void grant(String administration) throws InterruptedException, ExecutionException {
        ResourcePattern topics = new ResourcePattern(ResourceType.TOPIC, TOPICS, PatternType.PREFIXED);
        ResourcePattern groups = new ResourcePattern(ResourceType.GROUP, GROUPS, PatternType.PREFIXED);
        ResourcePattern own = new ResourcePattern(ResourceType.GROUP, GROUPS + ".a", PatternType.LITERAL);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", administration))) {
            admin.createAcls(List.of(
                            allow("writer", topics, AclOperation.CREATE),
                            allow("writer", topics, AclOperation.DESCRIBE_CONFIGS),
                            allow("writer", topics, AclOperation.ALTER_CONFIGS),
                            allow("writer", topics, AclOperation.WRITE),
                            allow("writer", topics, AclOperation.READ),
                            allow("writer", groups, AclOperation.DESCRIBE),
                            allow("worker", topics, AclOperation.DESCRIBE_CONFIGS),
                            allow("worker", topics, AclOperation.READ),
                            allow("worker", groups, AclOperation.DESCRIBE),
                            allow("worker", own, AclOperation.READ)))
                    .all()
                    .get();
        }
    }

    /** Whether a principal is kept from writing into a topic. */
    public static boolean cannotWrite(String principal, String servers, String topic) throws InterruptedException {
        Map<String, Object> settings = new TreeMap<>(client(principal));
        settings.put("bootstrap.servers", servers);
        // An idempotent one would be refused by the cluster before it names a topic.
        settings.put("enable.idempotence", false);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, new byte[0], new byte[0])).get();
            return false;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicAuthorizationException) {
                return true;
            }
            throw new AssertionError(e);
        }
    }

    private static AclBinding allow(String principal, ResourcePattern resource, AclOperation operation) {
        return new AclBinding(
                resource, new AccessControlEntry("User:" + principal, "*", operation, AclPermissionType.ALLOW));
    }
}
