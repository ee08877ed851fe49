package dev.tidemark.deploy.doctor;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.change.ChangeTopic;

/**
 * What Tidemark needs of its topics, to keep what they acknowledge and to be complete copies of tables.
 *
 * @param partitions by topic, as the catalog wants them
 * @param largestRecord most bytes of a change
 * @param longestAbsence {@code shard.max.absence} of the worker
 */
record TopicRules(
        Map<String, Integer> partitions, int largestRecord, Optional<Duration> longestAbsence, Findings findings) {
    private static final String CHECK = "topics";
    private static final int MANY = 3;
    private static final String CHANGES = ChangeTopic.nameFor("");
    private static final String LEAST = "min.insync.replicas";
    private static final String RETENTION = "delete.retention.ms";
    private static final String TIME = "message.timestamp.type";
    private static final String BROKER_TIME = "LogAppendTime";

    void judge(Map<String, KafkaFacts.Topic> topics) {
        int few = 0;
        int present = 0;
        int refused = 0;
        for (Map.Entry<String, KafkaFacts.Topic> topic : topics.entrySet()) {
            if (topic.getValue() instanceof KafkaFacts.Present found) {
                present++;
                few += found.replicas() < MANY ? 1 : 0;
                judge(topic.getKey(), found);
            } else if (topic.getValue() instanceof KafkaFacts.Absent absent) {
                refused += absent.refusal().isPresent() ? 1 : 0;
                absent.refusal().ifPresent(why -> judgeRefusal(topic.getKey(), why));
            }
        }
        findings.ok(CHECK, present + " are there" + (refused == 0 ? ", and the writer makes what is missing" : ""));
        if (few > 0) {
            findings.warning(
                    CHECK,
                    few + " have fewer than " + MANY + " replicas: an acknowledged record may be lost with a broker",
                    MANY + " replicas, except for trials",
                    "Set topic.replication.factor=3 before topics are made, or run kafka-reassign-partitions.sh.");
        }
    }

    private void judgeRefusal(String name, String why) {
        findings.failed(
                CHECK,
                name + " is not there, and the brokers would refuse to make it: " + why,
                "a topic that the writer may make",
                "Allow the writer Create on topics tidemark.*, with topic.replication.factor of at most the brokers.");
    }

    private void judge(String name, KafkaFacts.Present topic) {
        Map<String, String> settings = topic.settings();
        if (!settings.getOrDefault("cleanup.policy", "compact").equals("compact")) {
            failed(name, settings, "cleanup.policy", ", which deletes changes", "compact");
        }
        Integer wanted = partitions.get(name);
        if (wanted != null && wanted != topic.partitions()) {
            String found = name + " has " + topic.partitions() + " partitions";
            findings.warning(
                    CHECK,
                    found,
                    wanted + ", as in the catalog",
                    "Correct partitions: in the catalog, unless the table has grown or shrunk to them.");
        }
        judgeDurability(name, topic);
        if (!settings.getOrDefault(TIME, BROKER_TIME).equals(BROKER_TIME)) {
            String why = ": brokers refuse records of a writer whose clock is an hour ahead";
            warning(name, settings, TIME, why, BROKER_TIME);
        }
        if (name.startsWith(CHANGES)) {
            raised(name, settings, "max.message.bytes", largestRecord);
            raised(name, settings, "min.compaction.lag.ms", ChangeTopic.MIN_COMPACTION_LAG.toMillis());
            long kept = longestAbsence.orElse(Duration.ZERO).multipliedBy(2).toMillis();
            if (isBelow(settings, RETENTION, kept)) {
                String why = ": a worker that was away for half of that rebuilds, sooner than shard.max.absence";
                warning(name, settings, RETENTION, why, Long.toString(kept));
            }
        }
    }

    private void judgeDurability(String name, KafkaFacts.Present topic) {
        if (!topic.settings().containsKey(LEAST)) {
            return;
        }
        int least = Integer.parseInt(topic.settings().get(LEAST));
        String of = " of " + topic.replicas() + " replicas";
        if (least > topic.replicas()) {
            failed(name, topic.settings(), LEAST, of + ", and takes no record", one(topic.replicas() - 1));
        } else if (topic.inSync() < least) {
            String found = name + " has " + topic.inSync() + of + " in sync, and takes no record";
            findings.failed(CHECK, found, LEAST + "=" + least, "Start the brokers that are away.");
        } else if (topic.replicas() >= MANY && least == 1) {
            warning(name, topic.settings(), LEAST, of + ", and loses a record with the one broker that has it", "2");
        } else if (topic.replicas() > 1 && least == topic.replicas()) {
            String why = of + ", and takes no record while a broker is away";
            warning(name, topic.settings(), LEAST, why, one(topic.replicas() - 1));
        }
    }

    private static String one(int atLeast) {
        return Integer.toString(Math.max(1, atLeast));
    }

    /** What the writer raises when it starts. */
    private void raised(String name, Map<String, String> settings, String key, long least) {
        if (isBelow(settings, key, least)) {
            warning(name, settings, key, ", which the writer raises at its start", Long.toString(least));
        }
    }

    private static boolean isBelow(Map<String, String> settings, String key, long least) {
        return settings.containsKey(key) && Long.parseLong(settings.get(key)) < least;
    }

    private void failed(String name, Map<String, String> settings, String key, String why, String wanted) {
        findings.failed(CHECK, found(name, settings, key, why), key + "=" + wanted, set(name, key, wanted));
    }

    private void warning(String name, Map<String, String> settings, String key, String why, String wanted) {
        findings.warning(CHECK, found(name, settings, key, why), key + "=" + wanted, set(name, key, wanted));
    }

    private static String found(String name, Map<String, String> settings, String key, String why) {
        return name + " has " + key + "=" + settings.get(key) + why;
    }

    private static String set(String topic, String key, String value) {
        return "Run: kafka-configs.sh --bootstrap-server SERVER --alter --topic " + topic + " --add-config " + key + "="
                + value;
    }
}
