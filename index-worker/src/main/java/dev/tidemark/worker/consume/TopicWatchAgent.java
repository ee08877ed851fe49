package dev.tidemark.worker.consume;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;

/**
 * Watches which tables have their topic, so that a worker can be started before its writer and waits quietly. A topic made
 * anew under its old name makes the shards of its table start again.
 */
public final class TopicWatchAgent implements Agent {
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

    /** What is needed of the brokers. Blocks for seconds at most. */
    public interface Topics {
        /**
         * The topics of tables, by table; without those that there are not.
         *
         * @throws RuntimeException when the brokers do not answer
         */
        Map<String, Topic> describe(Set<String> tables);

        /** A topic. */
        record Topic(String id, int partitions) {}
    }

    /**
     * Watches nothing yet.
     *
     * @param catalog gives the tables in force; none while that is not known
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
    public int doWork() {
        Catalog present = catalog.get();
        if (!missNewTables(present) && clock.instant().isBefore(next)) {
            return 0;
        }
        try {
            look(present);
        } catch (RuntimeException e) {
            LOGGER.debug("The brokers do not tell about topics", e);
        }
        next = clock.instant().plus(problems.isEmpty() ? WHEN_COMPLETE : WHILE_MISSING);
        return 1;
    }

    /** Whether there are tables that were not there at the last look, which are missed from now on. */
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
        Map<String, Topics.Topic> found = topics.describe(wanted);
        Set<String> usable = new TreeSet<>(ready);
        Map<String, String> wrong = new TreeMap<>();
        for (TableDefinition table : present.tables()) {
            Optional<String> problem = problem(table, found);
            problem.ifPresentOrElse(text -> wrong.put(table.name(), text), () -> usable.add(table.name()));
        }
        ready = Set.copyOf(usable);
        problems = Map.copyOf(wrong);
        for (LiveShard shard : shards.assigned()) {
            Topics.Topic topic = found.get(shard.id().table());
            if (topic != null
                    && shard.topicId().filter(id -> !id.equals(topic.id())).isPresent()) {
                shard.requestRebuild("its topic was made anew");
            }
        }
    }

    private static Optional<String> problem(TableDefinition table, Map<String, Topics.Topic> found) {
        Topics.Topic topic = found.get(table.name());
        if (topic == null) {
            return Optional.of("has no topic yet; the writer makes it");
        }
        return topic.partitions() == table.partitions()
                ? Optional.empty()
                : Optional.of("has " + table.partitions() + " partitions in the catalog, but its topic has "
                        + topic.partitions());
    }
}
