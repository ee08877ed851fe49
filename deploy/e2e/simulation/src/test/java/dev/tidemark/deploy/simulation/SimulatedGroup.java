package dev.tidemark.deploy.simulation;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.tidemark.worker.store.ShardId;

/** The consumer group: which member should have which shard, and which one has it. A member is a worker's number. */
final class SimulatedGroup {
    private final List<ShardId> shards;
    private final int members;
    private final RandomSource chance;
    private final Map<ShardId, Integer> wanted = new TreeMap<>();
    private final Map<ShardId, Integer> held = new TreeMap<>();

    SimulatedGroup(List<ShardId> shards, int members, RandomSource chance) {
        this.shards = shards;
        this.members = members;
        this.chance = chance;
        shards.forEach(shard -> wanted.put(shard, chance.below(members)));
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
