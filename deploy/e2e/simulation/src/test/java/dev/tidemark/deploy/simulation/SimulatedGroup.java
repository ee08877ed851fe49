package dev.tidemark.deploy.simulation;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.store.ShardId;

/**
 * The consumer group of a replica group: which member should have which shard, which one has it, and what is noted
 * beside the offsets. A member is a worker's number.
 */
final class SimulatedGroup {
    private final String replicaGroup;
    private final List<ShardId> shards;
    private final int members;
    private final RandomSource chance;
    private final Map<ShardId, Integer> wanted = new TreeMap<>();
    private final Map<ShardId, Integer> held = new TreeMap<>();
    private final Map<ShardId, String> notes = new TreeMap<>();

    SimulatedGroup(String replicaGroup, List<ShardId> shards, int members, RandomSource chance) {
        this.replicaGroup = replicaGroup;
        this.shards = shards;
        this.members = members;
        this.chance = chance;
        shards.forEach(shard -> wanted.put(shard, chance.below(members)));
    }

    String replicaGroup() {
        return replicaGroup;
    }

    List<ShardId> shards() {
        return shards;
    }

    /** Some shard is to have another member, or the same. */
    void move() {
        wanted.put(chance.pick(shards), chance.below(members));
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
        return shards.stream()
                .filter(shard -> tables.contains(shard.table()))
                .flatMap(shard ->
                        note(shard).stream().map(note -> new Owner(shard, replicaGroup, !held.isEmpty(), note)))
                .toList();
    }

    /** Shards that a member has and that another one should have. */
    Set<ShardId> toGive(int member) {
        Set<ShardId> those = heldBy(member);
        those.removeIf(shard -> wanted.getOrDefault(shard, member) == member);
        return those;
    }

    void give(Set<ShardId> given) {
        held.keySet().removeAll(given);
        if (!given.isEmpty()) {
            chance.meet(CoveragePoint.A_SHARD_CHANGED_HANDS);
        }
    }

    /** Takes whatever a member should have and nobody has. */
    Set<ShardId> take(int member) {
        Set<ShardId> taken = new HashSet<>();
        wanted.forEach((shard, holder) -> {
            if (holder == member && !held.containsKey(shard)) {
                taken.add(shard);
            }
        });
        taken.forEach(shard -> held.put(shard, member));
        return taken;
    }
}
