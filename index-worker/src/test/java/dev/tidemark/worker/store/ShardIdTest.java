package dev.tidemark.worker.store;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShardIdTest {
    @Test
    void standsInTheOrderOfTablesAndThenOfPartitions() {
        ShardId films = new ShardId("films", 10);
        ShardId people = new ShardId("people", 2);
        ShardId more = new ShardId("people", 10);

        assertThat(List.of(more, films, people).stream().sorted()).containsExactly(films, people, more);
        assertThat(more).isEqualByComparingTo(new ShardId("people", 10)).hasToString("people-10");
    }
}
