package dev.tidemark.worker.consume;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;

/**
 * Watches which tables have their topic, so that a worker can be started before its writer and waits quietly. When a
 * topic was recreated under its old name, the shards of its table are rebuilt.
 */
public final class TopicWatchAgent implements Agent, TopicObservation {
    private static final Logger LOGGER = LoggerFactory.getLogger(TopicWatchAgent.class);
    private static final Duration WHILE_MISSING = Duration.ofMillis(500);
    private static final Duration WHEN_COMPLETE = Duration.ofSeconds(1);

    private final Supplier<Catalog> catalog;
    private final Topics topics;
    private final Shards shards;
    private final Clock clock;
    private Instant next = Instant.MIN;
    private volatile Set<String> ready = Set.of();
    private volatile Map<String, String> problems = Map.of();
    private Set<String> wanted = Set.of();
    private Map<String, String> unanswered = Map.of();
    private final Map<String, Instant> seen = new ConcurrentHashMap<>();

    /** What is needed of the brokers. Blocks for seconds at most. */
    public interface Topics {
        /**
         * The topics of tables.
         *
         * @throws RuntimeException when no broker can be queried at all
         */
        Described describe(Set<String> tables);

        /**
         * Topics, by table; without those that there are not.
         *
         * @param unanswered why nothing is known of the topics of other tables
         */
        record Described(Map<String, Topic> found, Map<String, String> unanswered) {
            public Described {
                found = Map.copyOf(found);
                unanswered = Map.copyOf(unanswered);
            }
        }

        /** A topic. */
        record Topic(String id, int partitions) {}
    }

    /**
     * An agent that watches nothing yet.
     *
     * @param catalog gives the tables in force; none while they are unknown
     */
    public TopicWatchAgent(Supplier<Catalog> catalog, Topics topics, Shards shards, Clock clock) {
        this.catalog = catalog;
        this.topics = topics;
        this.shards = shards;
        this.clock = clock;
        missNewTables(catalog.get());
    }

    @Override
    public String roleName() {
        return "topics";
    }

    /** The tables whose topics can be read. A topic that is gone stays in: it may only be a broker starting up. */
    public Set<String> ready() {
        return ready;
    }

    /** What is wrong with topics, by table. */
    public Map<String, String> problems() {
        return problems;
    }

    @Override
    public boolean hasSeen(String table, Instant since) {
        Instant last = seen.get(table);
        return last != null && last.isAfter(since);
    }

    @Override
    public int doWork() {
        Catalog present = catalog.get();
        if (!missNewTables(present) && clock.instant().isBefore(next)) {
            return 0;
        }
        try {
            look(present);
        } catch (RuntimeException e) {
            LOGGER.debug("The brokers give no answer about topics", e);
        }
        next = clock.instant().plus(problems.isEmpty() ? WHEN_COMPLETE : WHILE_MISSING);
        return 1;
    }

    /** Whether there are tables that were not there at the last look; their topics count as missing from now on. */
    private boolean missNewTables(Catalog present) {
        Set<String> names = present.tables().stream().map(TableDefinition::name).collect(Collectors.toSet());
        if (names.equals(wanted)) {
            return false;
        }
        Map<String, String> missed = new TreeMap<>(problems);
        names.stream()
                .filter(name -> !wanted.contains(name))
                .forEach(name -> missed.put(name, "has not been looked for yet"));
        problems = Map.copyOf(missed);
        wanted = names;
        return true;
    }

    private void look(Catalog present) {
        Instant begun = clock.instant();
        Topics.Described topicsNow = topics.describe(wanted);
        report(topicsNow.unanswered());
        Set<String> usable = new TreeSet<>(ready);
        usable.retainAll(wanted);
        Map<String, String> wrong = new TreeMap<>();
        for (TableDefinition table : present.tables()) {
            Optional<String> problem = problem(table, topicsNow);
            if (problem.isPresent()) {
                wrong.put(table.name(), problem.get());
            } else if (topicsNow.found().containsKey(table.name())) {
                usable.add(table.name());
            }
        }
        ready = Set.copyOf(usable);
        problems = Map.copyOf(wrong);
        rebuildWhereTheTopicIsAnother(topicsNow.found());
        topicsNow.found().keySet().forEach(table -> seen.put(table, begun));
    }

    private void rebuildWhereTheTopicIsAnother(Map<String, Topics.Topic> found) {
        for (OpenShard shard : shards.assigned()) {
            Topics.Topic topic = found.get(shard.id().table());
            if (topic != null
                    && shard.topicId().filter(id -> !id.equals(topic.id())).isPresent()) {
                shard.requestRebuild("its topic was recreated");
            }
        }
    }

    /** Writes of which topics nothing is known, where that has changed. */
    private void report(Map<String, String> reasons) {
        if (!reasons.equals(unanswered)) {
            unanswered = reasons;
            if (reasons.isEmpty()) {
                LOGGER.info("The brokers answer about the topics of all tables again");
            } else {
                LOGGER.warn("The brokers give no answer about the topics of these tables: {}", reasons);
            }
        }
    }

    private Optional<String> problem(TableDefinition table, Topics.Described topicsNow) {
        String unknown = topicsNow.unanswered().get(table.name());
        if (unknown != null) {
            // A topic that was read before is still read: its reader detects whether that is possible.
            return ready.contains(table.name())
                    ? Optional.ofNullable(problems.get(table.name()))
                    : Optional.of("cannot be looked for: " + unknown);
        }
        Topics.Topic topic = topicsNow.found().get(table.name());
        if (topic == null) {
            return Optional.of("has no topic yet; the writer makes it");
        }
        // The writer goes on where partitions were added, and has rows in none of them.
        return topic.partitions() >= table.partitions()
                ? Optional.empty()
                : Optional.of("has " + table.partitions() + " partitions in the catalog, but its topic has "
                        + topic.partitions());
    }
}
