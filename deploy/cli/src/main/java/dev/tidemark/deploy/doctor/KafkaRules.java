package dev.tidemark.deploy.doctor;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import static java.util.stream.Collectors.joining;

/** What one service needs of Kafka, beside what {@link TopicRules} demands of topics. */
record KafkaRules(ServiceSettings settings, Findings findings) {
    private static final Set<String> WRITER =
            Set.of("Create", "Delete", "Describe", "DescribeConfigs", "AlterConfigs", "Write", "Read");
    private static final Set<String> WORKER = Set.of("Describe", "DescribeConfigs", "Read");
    private static final String NOT_SAID = "the brokers do not say which rights there are on ";
    private static final String PREFIXED = " --resource-pattern-type prefixed";

    void judge(KafkaFacts facts) {
        String check = settings.service() + " kafka";
        if (facts instanceof KafkaFacts.Unreached unreached) {
            String found = settings.servers() + ": " + unreached.detail();
            findings.failed(check, found, unreached.obstacle().expected, unreached.obstacle().advice);
        } else if (facts instanceof KafkaFacts.Cluster cluster) {
            judgeCluster(check, cluster);
            judgeTopicRights(cluster);
            judgeGroup(cluster.group());
        }
    }

    private void judgeCluster(String check, KafkaFacts.Cluster cluster) {
        String features = List.of("metadata.version", "group.version").stream()
                .filter(cluster.features()::containsKey)
                .map(name -> ", " + name + " " + cluster.features().get(name))
                .collect(joining());
        findings.ok(check, settings.servers() + ": brokers " + cluster.brokers() + features);
        cluster.closed()
                .forEach((address, why) -> findings.failed(
                        check,
                        "broker " + address + " cannot be reached: " + why,
                        "an address that this machine reaches",
                        "Correct advertised.listeners of that broker, or start it."));
        Object protocol = settings.kafka().getOrDefault("group.protocol", "classic");
        if ("consumer".equalsIgnoreCase(protocol.toString())
                && cluster.features().getOrDefault("group.version", 0) < 1) {
            findings.failed(
                    check,
                    "kafka.group.protocol=consumer is set, and the brokers have not enabled it",
                    "brokers with group.version 1",
                    "Run kafka-features.sh upgrade --feature group.version=1, or remove kafka.group.protocol.");
        }
    }

    private void judgeTopicRights(KafkaFacts.Cluster cluster) {
        String check = settings.service() + " topic rights";
        Set<String> missing = new TreeSet<>();
        Set<String> where = new TreeSet<>();
        Set<String> unknown = new TreeSet<>();
        cluster.topics().forEach((name, topic) -> {
            Set<String> lacks = new TreeSet<>();
            if (topic instanceof KafkaFacts.Hidden) {
                lacks.add("Describe");
            } else if (topic instanceof KafkaFacts.Present present
                    && present.operations().isPresent()) {
                lacks.addAll(settings.isWriter() ? WRITER : WORKER);
                lacks.removeAll(present.operations().get());
            } else if (topic instanceof KafkaFacts.Present) {
                unknown.add(name);
            }
            if (!lacks.isEmpty()) {
                missing.addAll(lacks);
                where.add(name);
            }
        });
        if (!missing.isEmpty()) {
            findings.failed(
                    check,
                    "no " + String.join(", ", missing) + " on " + String.join(", ", where),
                    "the rights that docs/security.md lists",
                    grant(missing) + " --topic tidemark." + PREFIXED);
        } else if (!unknown.isEmpty()) {
            findings.skipped(check, NOT_SAID + "topics " + String.join(", ", unknown));
        } else if (cluster.topics().values().stream().noneMatch(KafkaFacts.Present.class::isInstance)) {
            findings.skipped(check, "there are no topics yet, or none that the " + settings.service() + " sees");
        } else {
            findings.ok(check, "all that the " + settings.service() + " needs");
        }
    }

    private void judgeGroup(KafkaFacts.Group group) {
        String check = settings.service() + " group rights";
        String name = settings.group();
        switch (group.access()) {
            case REFUSED ->
                findings.failed(
                        check,
                        "no Describe on group " + name,
                        "Describe on the groups of all workers",
                        grant(Set.of("Describe")) + " --group " + name.replaceAll("[^.]*$", "") + PREFIXED);
            case NO_COORDINATOR ->
                findings.failed(
                        check,
                        "no broker coordinates group " + name,
                        "a topic __consumer_offsets with leaders",
                        "Set offsets.topic.replication.factor of the brokers to at most their number, or start them all.");
            case ABSENT -> findings.skipped(check, "group " + name + " is not there before a worker has started");
            case PRESENT -> {
                if (!settings.isWriter() && group.operations().isEmpty()) {
                    findings.skipped(check, NOT_SAID + "group " + name);
                } else if (settings.isWriter() || group.operations().get().contains("Read")) {
                    findings.ok(check, "all that the " + settings.service() + " needs of " + name);
                } else {
                    String advice = grant(Set.of("Read")) + " --group " + name;
                    findings.failed(check, "no Read on group " + name, "Read on its own group", advice);
                }
            }
        }
    }

    private static String grant(Set<String> operations) {
        return "Run: kafka-acls.sh --bootstrap-server SERVER --add --allow-principal User:NAME --operation "
                + String.join(" --operation ", operations);
    }
}
