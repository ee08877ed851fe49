package dev.tidemark.deploy.doctor.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.utils.SecurityUtils;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.doctor.KafkaFacts;
import dev.tidemark.deploy.doctor.KafkaFacts.Access;
import dev.tidemark.deploy.doctor.KafkaFacts.Obstacle;
import dev.tidemark.deploy.doctor.KafkaLook;
import dev.tidemark.writer.kafka.AdminConnection;
import dev.tidemark.writer.kafka.KafkaClientSettings;

/** Asks a real cluster. */
public final class KafkaExaminer implements KafkaLook {
    private static final String TOPICS = "tidemark.";
    private static final String CREATE = "Create";

    @Override
    public KafkaFacts look(Question question) throws InterruptedException {
        String servers = String.valueOf(question.settings().get("bootstrap.servers"));
        Optional<KafkaFacts.Unreached> closed = Ports.closed(servers);
        if (closed.isPresent()) {
            return closed.get();
        }
        Map<String, Object> settings = new HashMap<>(question.settings());
        settings.put("client.id", "tidemark-doctor");
        try (AdminConnection admin = new AdminConnection(new KafkaClientSettings(settings))) {
            return new Look(admin, question).cluster();
        } catch (KafkaException e) {
            return unreached(e);
        }
    }

    private static KafkaFacts unreached(KafkaException failure) {
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            root = cause;
        }
        String detail = String.valueOf(root.getMessage());
        if (failure instanceof SslAuthenticationException) {
            return new KafkaFacts.Unreached(Obstacle.TLS, detail);
        }
        if (failure instanceof AuthenticationException) {
            return new KafkaFacts.Unreached(Obstacle.AUTHENTICATION, detail);
        }
        if (failure instanceof TimeoutException) {
            return new KafkaFacts.Unreached(Obstacle.SILENT, "the port opens, and no broker answers behind it");
        }
        if (failure instanceof UnsupportedVersionException) {
            return new KafkaFacts.Unreached(Obstacle.TOO_OLD, detail);
        }
        // Parts of a JAAS line that cannot be read may be a password.
        return new KafkaFacts.Unreached(
                Obstacle.SETTINGS, detail.contains("JAAS") ? "sasl.jaas.config cannot be read" : detail);
    }

    /** One look. */
    private record Look(AdminConnection admin, Question question) {
        KafkaFacts cluster() throws InterruptedException {
            Collection<Node> nodes =
                    admin.ask(client -> client.describeCluster().nodes());
            Map<String, String> closed = new TreeMap<>();
            for (Node node : nodes) {
                String address = node.host() + ":" + node.port();
                Ports.obstacle(address).ifPresent(why -> closed.put(address, why.detail()));
            }
            Map<String, Integer> features = new TreeMap<>();
            admin.ask(client -> client.describeFeatures().featureMetadata())
                    .finalizedFeatures()
                    .forEach((name, range) -> features.put(name, (int) range.maxVersionLevel()));
            String id = admin.ask(client -> client.describeCluster().clusterId());
            return new KafkaFacts.Cluster(id, nodes.size(), closed, features, topics(creates()), group());
        }

        /** The right to create any topic belongs to the cluster, and includes that to create each of them. */
        private boolean creates() throws InterruptedException {
            DescribeClusterOptions options = new DescribeClusterOptions().includeAuthorizedOperations(true);
            return spelled(admin.ask(client -> client.describeCluster(options).authorizedOperations()))
                    .filter(allowed -> allowed.contains(CREATE))
                    .isPresent();
        }

        private Map<String, KafkaFacts.Topic> topics(boolean creates) throws InterruptedException {
            Set<String> names = new TreeSet<>(question.topics().keySet());
            admin.ask(client -> client.listTopics().names()).stream()
                    .filter(name -> name.startsWith(TOPICS))
                    .forEach(names::add);
            Map<String, KafkaFacts.Topic> topics = new TreeMap<>();
            for (String name : names) {
                topics.put(name, topic(name, creates));
            }
            return topics;
        }

        private KafkaFacts.Topic topic(String name, boolean creates) throws InterruptedException {
            DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
            try {
                TopicDescription found = Objects.requireNonNull(admin.ask(client ->
                                client.describeTopics(List.of(name), options).allTopicNames())
                        .get(name));
                Optional<Set<String>> allowed = spelled(found.authorizedOperations());
                if (creates) {
                    allowed.ifPresent(operations -> operations.add(CREATE));
                }
                List<TopicPartitionInfo> partitions = found.partitions();
                return new KafkaFacts.Present(
                        partitions.size(),
                        least(partitions.stream()
                                .map(partition -> partition.replicas().size())),
                        least(partitions.stream()
                                .map(partition -> partition.isr().size())),
                        settings(name),
                        allowed);
            } catch (UnknownTopicOrPartitionException e) {
                return new KafkaFacts.Absent(refusal(name));
            } catch (AuthorizationException e) {
                // A topic that is not there hides like one that may not be seen.
                Optional<String> refusal = refusal(name);
                return refusal.isEmpty() ? new KafkaFacts.Absent(refusal) : new KafkaFacts.Hidden();
            }
        }

        private Map<String, String> settings(String name) throws InterruptedException {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
            try {
                Config config = Objects.requireNonNull(admin.ask(client ->
                                client.describeConfigs(List.of(resource)).all())
                        .get(resource));
                return config.entries().stream()
                        .filter(entry -> entry.value() != null)
                        .collect(Collectors.toMap(entry -> entry.name(), entry -> entry.value()));
            } catch (AuthorizationException e) {
                return Map.of();
            }
        }

        /** Why brokers would not make a topic that is needed, without making it. */
        private Optional<String> refusal(String name) throws InterruptedException {
            NewTopic topic =
                    new NewTopic(name, Optional.ofNullable(question.topics().get(name)), question.replicas());
            try {
                admin.ask(client -> client.createTopics(List.of(topic), new CreateTopicsOptions().validateOnly(true))
                        .all());
                return Optional.empty();
            } catch (KafkaException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }

        private KafkaFacts.Group group() throws InterruptedException {
            DescribeConsumerGroupsOptions options =
                    new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true);
            try {
                ConsumerGroupDescription found = Objects.requireNonNull(admin.ask(
                                client -> client.describeConsumerGroups(List.of(question.group()), options)
                                        .all())
                        .get(question.group()));
                return new KafkaFacts.Group(Access.PRESENT, spelled(found.authorizedOperations()));
            } catch (GroupIdNotFoundException e) {
                return new KafkaFacts.Group(Access.ABSENT, Optional.empty());
            } catch (AuthorizationException e) {
                return new KafkaFacts.Group(Access.REFUSED, Optional.empty());
            } catch (TimeoutException e) {
                return new KafkaFacts.Group(Access.NO_COORDINATOR, Optional.empty());
            }
        }

        private static int least(Stream<Integer> sizes) {
            return sizes.mapToInt(Integer::intValue).min().orElse(0);
        }

        /** As {@code kafka-acls.sh} takes them: {@code DescribeConfigs}. */
        private static Optional<Set<String>> spelled(@Nullable Set<AclOperation> operations) {
            return Optional.ofNullable(operations)
                    .map(known -> known.stream()
                            .map(SecurityUtils::operationName)
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }
}
