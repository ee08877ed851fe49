package dev.tidemark.worker.http;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.generation.LifecycleState;
import dev.tidemark.worker.generation.ShardLife;

import static org.assertj.core.api.Assertions.assertThat;

class ShardPartTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    private final ShardPart part = new ShardPart(
            true,
            Optional.of(new ShardLife(LifecycleState.State.READY, TIME, "", false, 0, true)),
            Optional.of(TIME),
            Optional.empty(),
            true);

    @Test
    void isReadAsItWasWritten() {
        assertThat(ShardPart.of(part.json())).isEqualTo(part);
    }

    @Test
    void nothingIsKnownOfAShardInAStateThatThisVersionDoesNotHave() {
        ObjectNode json = part.json();
        ((ObjectNode) json.path("life")).put("state", "DREAMING");
        ShardPart read = ShardPart.of(json);
        assertThat(read.open()).isFalse();
        assertThat(read.life()).isEmpty();
        assertThat(read.readySince()).isEmpty();
        assertThat(read.previousServes()).isFalse();
    }

    @Test
    void aHealthThatThisVersionDoesNotHaveIsUnknown() {
        ObjectNode steady = JsonValues.object().put("state", "steady");
        ObjectNode other = JsonValues.object().put("state", "dreaming");
        assertThat(GroupIndexes.worst(List.of(steady))).isEqualTo(IndexHealth.STEADY);
        assertThat(GroupIndexes.worst(List.of(steady, other))).isEqualTo(IndexHealth.UNKNOWN);
    }
}
