package dev.tidemark.writer.kafka;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A cluster whose topics have no records. Its presets are those of Kafka. */
final class InMemoryTopicAdmin implements TopicAdmin {
    private static final Map<String, String> PRESETS = Map.of(
            "cleanup.policy", "delete",
            "max.message.bytes", "1048588",
            "message.timestamp.type", "CreateTime",
            "min.compaction.lag.ms", "0",
            "max.compaction.lag.ms", Long.toString(Long.MAX_VALUE),
            "min.insync.replicas", "1");

    private final Map<String, Topic> topics = new HashMap<>();
    private final Map<String, String> presets = new HashMap<>(PRESETS);
    private final Set<String> kept = new HashSet<>();
    private final int replicas;
    private int changes;
    private boolean lagging;
    private boolean leading = true;
    private List<Integer> leaderless = List.of();

    private record Topic(String id, int partitions, int replicas, Map<String, String> own) {}

    /**
     * A cluster.
     *
     * @param replicas of topics that are created without a number
     */
    InMemoryTopicAdmin(int replicas) {
        this.replicas = replicas;
    }

    /** Has every topic a setting from now on that was not given another. */
    void preset(String name, String value) {
        presets.put(name, value);
    }

    /** Creates a topic, as somebody else does. */
    void add(String topic, int partitions, int copies, Map<String, String> settings) {
        topics.put(topic, new Topic(Uuid.randomUuid().toString(), partitions, copies, new HashMap<>(settings)));
    }

    /** Takes changes of settings from now on and does not show them. */
    void lag() {
        lagging = true;
    }

    /** Whether the leaders of partitions answer from now on. */
    void lead(boolean answering) {
        leading = answering;
    }

    /** These partitions of all topics have no leader from now on. */
    void loseLeaders(Integer... partitions) {
        leaderless = List.of(partitions);
    }

    /** Refuses from now on to change a setting of any topic. */
    void keep(String name) {
        kept.add(name);
    }

    /** How often settings of a topic were changed. */
    int changes() {
        return changes;
    }

    @Override
    public Found find(String topic) {
        Topic found = topic(topic);
        return new Found(found.id(), found.partitions(), found.replicas(), leaderless);
    }

    @Override
    public Created create(String topic, int partitions, Optional<Short> wanted, Map<String, String> settings) {
        if (topics.containsKey(topic)) {
            throw new TopicExistsException(topic);
        }
        if (topics.keySet().stream().anyMatch(other -> undotted(other).equals(undotted(topic)))) {
            throw new InvalidTopicException("Topic '" + topic + "' collides with an existing topic");
        }
        add(topic, partitions, wanted.map(Short::intValue).orElse(replicas), settings);
        Topic created = topic(topic);
        return new Created(created.id(), created.replicas(), settings(topic));
    }

    private static String undotted(String topic) {
        return topic.replace('.', '_');
    }

    @Override
    public void delete(String id) {
        if (!topics.values().removeIf(topic -> topic.id().equals(id))) {
            throw new UnknownTopicIdException(id);
        }
    }

    @Override
    public Map<String, String> settings(String topic) {
        Map<String, String> settings = new TreeMap<>(presets);
        settings.putAll(topic(topic).own());
        return settings;
    }

    @Override
    public void set(String topic, Map<String, String> settings) {
        if (settings.keySet().stream().anyMatch(kept::contains)) {
            throw new PolicyViolationException("forbidden by a policy");
        }
        Map<String, String> all = settings(topic);
        all.putAll(settings);
        if (lag(all, "min.compaction.lag.ms") > lag(all, "max.compaction.lag.ms")) {
            throw new InvalidConfigurationException("min.compaction.lag.ms > max.compaction.lag.ms");
        }
        changes++;
        if (!lagging) {
            topic(topic).own().putAll(settings);
        }
    }

    private static long lag(Map<String, String> settings, String name) {
        return Long.parseLong(settings.getOrDefault(name, "0"));
    }

    @Override
    public List<Long> offsets(String topic, List<Integer> partitions, OffsetSpec which) {
        if (!leading) {
            throw new NotLeaderOrFollowerException(topic);
        }
        return Collections.nCopies(partitions.size(), 0L);
    }

    private Topic topic(String name) {
        Topic topic = topics.get(name);
        if (topic == null) {
            throw new UnknownTopicOrPartitionException(name);
        }
        return topic;
    }
}
