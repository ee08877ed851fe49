package dev.tidemark.deploy.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What a local stack is to be.
 *
 * @param data directory of everything it keeps: pid and log files, and one directory for each child
 * @param catalog the catalog file of both services
 * @param ports where the children listen
 * @param replicaGroups how many groups of workers, equally large; the first group has the first workers
 * @param restart whether a child that died is started again
 * @param startPatience how long one child may take to become ready
 * @param extra settings by role: of the service, or Kafka's or PostgreSQL's own
 * @param properties system properties of a service by role, for tests and drills
 * @param broker where the broker is
 * @param facts where the writers keep the fact tables
 */
public record StackSettings(
        Path data,
        Path catalog,
        StackPorts ports,
        int replicaGroups,
        boolean restart,
        Duration startPatience,
        Map<Role, Map<String, String>> extra,
        Map<Role, Map<String, String>> properties,
        BrokerLocation broker,
        FactsPlace facts) {

    /** Long enough for a loaded machine; a rebuild of large indexes may need more. */
    public static final Duration START_PATIENCE = Duration.ofMinutes(2);

    private static final int LETTERS = 26;

    public StackSettings {
        data = data.toAbsolutePath().normalize();
        catalog = catalog.toAbsolutePath().normalize();
        extra = Map.copyOf(extra);
        properties = Map.copyOf(properties);
    }

    public static StackSettings of(Path data, Path catalog, StackPorts ports) {
        return new StackSettings(
                data,
                catalog,
                ports,
                1,
                false,
                START_PATIENCE,
                Map.of(),
                Map.of(),
                BrokerLocation.USUAL,
                FactsPlace.ROCKSDB);
    }

    public StackSettings withCatalog(Path file) {
        return new StackSettings(
                data, file, ports, replicaGroups, restart, startPatience, extra, properties, broker, facts);
    }

    public StackSettings withRestart(boolean wanted) {
        return new StackSettings(
                data, catalog, ports, replicaGroups, wanted, startPatience, extra, properties, broker, facts);
    }

    /** With several workers. */
    public StackSettings withWorkers(int inEachGroup, int groups) {
        StackPorts more = ports.withWorkers(inEachGroup * groups);
        return new StackSettings(data, catalog, more, groups, restart, startPatience, extra, properties, broker, facts);
    }

    /**
     * With several writers, which take turns.
     *
     * @throws IllegalArgumentException for more than one where they would not share fact tables
     */
    public StackSettings withWriters(int count) {
        if (count > 1 && !facts.isShared()) {
            throw new IllegalArgumentException("Expected facts that writers can share, but got " + facts.kind());
        }
        StackPorts more = ports.withWriters(count);
        return new StackSettings(
                data, catalog, more, replicaGroups, restart, startPatience, extra, properties, broker, facts);
    }

    /** With fact tables elsewhere. */
    public StackSettings withFacts(FactsPlace place) {
        return new StackSettings(
                data, catalog, ports, replicaGroups, restart, startPatience, extra, properties, broker, place);
    }

    /** With fact tables in a PostgreSQL that is a child of the stack, on any free port. */
    public StackSettings withOwnPostgresql() {
        return withFacts(FactsPlace.own(postgresql(), ports.another()));
    }

    public StackSettings withStartPatience(Duration patience) {
        return new StackSettings(
                data, catalog, ports, replicaGroups, restart, patience, extra, properties, broker, facts);
    }

    /** With a broker somewhere else, whose listeners then have to be settings of it. */
    public StackSettings withBroker(BrokerLocation place) {
        return new StackSettings(
                data, catalog, ports, replicaGroups, restart, startPatience, extra, properties, place, facts);
    }

    /** With one more setting for the children of a role, in place of what they would have. */
    public StackSettings with(Role role, String key, String value) {
        Map<Role, Map<String, String>> more = new EnumMap<>(Role.class);
        more.putAll(extra);
        Map<String, String> ofRole = new TreeMap<>(extra(role));
        ofRole.put(key, value);
        more.put(role, Map.copyOf(ofRole));
        return new StackSettings(
                data, catalog, ports, replicaGroups, restart, startPatience, more, properties, broker, facts);
    }

    /** With services that have these system properties, in place of those they would have. */
    public StackSettings withProperties(Role role, Map<String, String> ofRole) {
        Map<Role, Map<String, String>> more = new EnumMap<>(Role.class);
        more.putAll(properties);
        more.put(role, Map.copyOf(ofRole));
        return new StackSettings(
                data, catalog, ports, replicaGroups, restart, startPatience, extra, more, broker, facts);
    }

    /** What a PostgreSQL of the stack keeps. */
    public PostgresDirectory postgresql() {
        return new PostgresDirectory(directory(Role.POSTGRESQL));
    }

    /** Where Kafka clients begin. */
    String bootstrapServers() {
        return broker.host() + ":" + ports.broker();
    }

    Map<String, String> properties(Role role) {
        return properties.getOrDefault(role, Map.of());
    }

    Map<String, String> extra(Role role) {
        return extra.getOrDefault(role, Map.of());
    }

    /** The replica group of a worker: a, b and so on. */
    String replicaGroup(int worker) {
        int group = (worker - 1) / (ports.workers().size() / replicaGroups);
        String last = Character.toString('a' + group % LETTERS);
        return group < LETTERS ? last : "a" + last;
    }

    /** The children of a role. */
    List<ChildId> children(Role role) {
        int count = switch (role) {
            case BROKER -> 1;
            case POSTGRESQL -> facts.kind() == FactsPlace.Kind.OWN_POSTGRESQL ? 1 : 0;
            case WRITER -> ports.writers().size();
            case WORKER -> ports.workers().size();
        };
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> new ChildId(role, number))
                .toList();
    }

    /** Where the first child of a role keeps what it has. */
    public Path directory(Role role) {
        return directory(ChildId.first(role));
    }

    /** Where a child keeps what it has. */
    public Path directory(ChildId child) {
        return data.resolve(child.label());
    }
}
