package dev.tidemark.worker.store;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShardDamagedExceptionTest {
    @Test
    void namesTheShardThatWasNamedFirst() {
        ShardDamagedException damage = new ShardDamagedException("no entry");
        assertThat(damage.shard()).isEmpty();

        ShardDamagedException named = damage.in(new ShardId("films", 0));

        assertThat(named).hasMessage("no entry").hasCause(damage);
        assertThat(named.in(new ShardId("films", 1))).isSameAs(named);
        assertThat(named.shard()).contains(new ShardId("films", 0));
    }
}
