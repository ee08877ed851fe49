package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;

class ListenerGroupTest {
    private static final ShardId ID = new ShardId("films", 0);

    private final List<String> told = new ArrayList<>();

    @Test
    void tellsEachMemberInTheirOrder() {
        ListenerGroup group = new ListenerGroup(List.of(member("first"), member("second")));

        group.applied(ID, ApplyCounts.NONE);
        group.visible(ID, StageLatencies.of(List.of(), Instant.EPOCH, Instant.EPOCH, Instant.EPOCH));
        group.keysChanged(ID, Map.of());

        assertThat(told)
                .containsExactly(
                        "first applied", "second applied",
                        "first visible", "second visible",
                        "first keys", "second keys");
    }

    private ShardApplier.Listener member(String name) {
        return new ShardApplier.Listener() {
            @Override
            public void applied(ShardId shard, ApplyCounts counts) {
                told.add(name + " applied");
            }

            @Override
            public void visible(ShardId shard, StageLatencies latencies) {
                told.add(name + " visible");
            }

            @Override
            public void keysChanged(ShardId shard, Map<Long, KeyChanges> changes) {
                told.add(name + " keys");
            }
        };
    }
}
