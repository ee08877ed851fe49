package dev.tidemark.worker.apply;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.tidemark.worker.store.ShardId;

/**
 * Several listeners as one.
 *
 * @param members called in this order
 */
public record ListenerGroup(List<ShardApplier.Listener> members) implements ShardApplier.Listener {
    public ListenerGroup {
        members = List.copyOf(members);
    }

    @Override
    public void applied(ShardId shard, ApplyCounts counts) {
        members.forEach(member -> member.applied(shard, counts));
    }

    @Override
    public void visible(ShardId shard, StageLatencies latencies) {
        members.forEach(member -> member.visible(shard, latencies));
    }

    @Override
    public void sourceAge(ShardId shard, Duration age) {
        members.forEach(member -> member.sourceAge(shard, age));
    }

    @Override
    public void keysChanged(ShardId shard, Map<Long, KeyChanges> changes) {
        members.forEach(member -> member.keysChanged(shard, changes));
    }
}
