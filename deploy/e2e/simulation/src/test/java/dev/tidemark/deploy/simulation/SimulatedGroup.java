package dev.tidemark.deploy.simulation;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.store.ShardId;

/**
 * The consumer group of a replica group: which member should have which shard, which one has it, and what is noted
 * beside the offsets. A member is a worker's number.
 */
final class SimulatedGroup {
    private final String replicaGroup;
    private final SimulatedDefinitions definitions;
    private final SimulatedTopics topics;
    private final int members;
    private final RandomSource chance;
    private final Map<Integer, Set<String>> followed = new HashMap<>();
    private final Map<ShardId, Integer> wanted = new TreeMap<>();
    private final Map<ShardId, Integer> held = new TreeMap<>();
    private final Map<ShardId, String> notes = new TreeMap<>();

    SimulatedGroup(
            String replicaGroup,
            SimulatedDefinitions definitions,
            SimulatedTopics topics,
            int members,
            RandomSource chance) {
        this.replicaGroup = replicaGroup;
        this.definitions = definitions;
        this.topics = topics;
        this.members = members;
        this.chance = chance;
    }

    String replicaGroup() {
        return replicaGroup;
    }

    /** The shards of all tables that are in force. */
    List<ShardId> shards() {
        return definitions.layout().tables().stream()
                .flatMap(table -> shards(table.name(), table.definition().partitions()))
                .toList();
    }

    private static Stream<ShardId> shards(String table, int partitions) {
        return IntStream.range(0, partitions).mapToObj(partition -> new ShardId(table, partition));
    }

    /** A member reads these topics from now on, and no others. */
    void follow(int member, Set<String> tables) {
        followed.put(member, Set.copyOf(tables));
    }

    /** Some shard is to have another member, or the same. */
    void move() {
        wanted.put(chance.pick(shards()), chance.below(members));
    }

    /** A member is taken for dead: what it has is free, and may go to anybody. */
    void strikeOff(int member) {
        held.values().removeIf(holder -> holder == member);
        if (chance.oneIn(2)) {
            wanted.replaceAll((shard, holder) -> holder == member ? chance.below(members) : holder);
        }
    }

    /** Which shards a member has, as far as the group is concerned. */
    Set<ShardId> heldBy(int member) {
        Set<ShardId> those = new TreeSet<>();
        held.forEach((shard, holder) -> {
            if (holder == member) {
                those.add(shard);
            }
        });
        return those;
    }

    /** Whether it has one member. */
    boolean isAlone() {
        return members == 1;
    }

    /** Which member has a shard, if any. */
    Optional<Integer> holder(ShardId shard) {
        return Optional.ofNullable(held.get(shard));
    }

    /** A member notes something of shards; the group takes it only where it has given all of them to that member. */
    boolean note(int member, Map<ShardId, String> texts) {
        boolean fenced = !heldBy(member).containsAll(texts.keySet());
        if (!fenced) {
            notes.putAll(texts);
        }
        return !fenced;
    }

    /** What is noted of shards is taken back. */
    void withdraw(Set<ShardId> those) {
        notes.keySet().removeAll(those);
    }

    Optional<OffsetNote> note(ShardId shard) {
        return Optional.ofNullable(notes.get(shard)).flatMap(OffsetNote::parse);
    }

    /** What is noted of the shards of some tables. */
    List<Owner> owners(Collection<String> tables) {
        return shards().stream()
                .filter(shard -> tables.contains(shard.table()))
                .flatMap(shard ->
                        note(shard).stream().map(note -> new Owner(shard, replicaGroup, !held.isEmpty(), note)))
                .toList();
    }

    /** Shards that a member has, and that another one should have or whose topic this one does not read any longer. */
    Set<ShardId> toGive(int member) {
        Set<ShardId> those = heldBy(member);
        those.removeIf(shard -> wanted.getOrDefault(shard, member) == member && follows(member, shard.table()));
        return those;
    }

    private boolean follows(int member, String table) {
        return followed.getOrDefault(member, Set.of()).contains(table);
    }

    void give(Set<ShardId> given) {
        held.keySet().removeAll(given);
        if (!given.isEmpty()) {
            chance.meet(CoveragePoint.A_SHARD_CHANGED_HANDS);
        }
    }

    /** Takes whatever a member reads and should have and nobody has, of the topics that are there. */
    Set<ShardId> take(int member) {
        Set<ShardId> taken = new TreeSet<>();
        for (String table : new TreeSet<>(followed.getOrDefault(member, Set.of()))) {
            SimulatedLog log = topics.of(table);
            if (log.isThere()) {
                shards(table, log.partitions().size())
                        .filter(shard -> wanted.computeIfAbsent(shard, unseen -> chance.below(members)) == member
                                && !held.containsKey(shard))
                        .forEach(taken::add);
            }
        }
        taken.forEach(shard -> held.put(shard, member));
        return taken;
    }
}
