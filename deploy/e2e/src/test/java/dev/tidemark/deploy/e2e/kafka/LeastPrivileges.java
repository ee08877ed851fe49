package dev.tidemark.deploy.e2e.kafka;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

import io.strimzi.api.kafka.model.user.KafkaUser;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import dev.tidemark.deploy.kubernetes.Manifests;

/** The rights of the services at a broker that asks who a client is: those of the manifests, and no more. */
public final class LeastPrivileges implements AutoCloseable {
    private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";

    private final Admin admin;

    private LeastPrivileges(Admin admin) {
        this.admin = admin;
    }

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
                Manifests.all(KafkaUser.class).stream()
                        .map(user -> user.getMetadata().getName())
                        .map(user -> "user_" + user + "=\"of-" + user + "\"")
                        .collect(Collectors.joining(" ", PLAIN, ";")));
        return settings;
    }

    /** Settings of the Kafka clients of a user. */
    public static Map<String, String> client(String user) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                PLAIN + "username=\"" + user + "\" password=\"of-" + user + "\";");
    }

    /** Allows all users what they need. */
    public static LeastPrivileges grant(String administration) throws InterruptedException, ExecutionException {
        LeastPrivileges all = new LeastPrivileges(Admin.create(Map.of("bootstrap.servers", administration)));
        for (AclBinding right : KafkaRights.all()) {
            all.allow(right);
        }
        return all;
    }

    public void allow(AclBinding right) throws InterruptedException, ExecutionException {
        admin.createAcls(List.of(right)).all().get();
    }

    public void forbid(AclBinding right) throws InterruptedException, ExecutionException {
        admin.deleteAcls(List.of(right.toFilter())).all().get();
    }

    /** Deletes a topic, and makes one of that name with the broker's presets in its place. */
    public void replace(String topic) throws InterruptedException, ExecutionException {
        admin.deleteTopics(List.of(topic)).all().get();
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }

    /** Whether a user is kept from writing into a topic. */
    public static boolean cannotWrite(String user, String servers, String topic) throws InterruptedException {
        Map<String, Object> settings = new TreeMap<>(client(user));
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

    @Override
    public void close() {
        admin.close();
    }
}
