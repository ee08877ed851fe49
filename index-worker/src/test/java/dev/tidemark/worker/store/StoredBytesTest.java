package dev.tidemark.worker.store;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoredBytesTest {
    @Test
    void filesAndMemoryAreAddedEachOnItsOwn() {
        assertThat(new StoredBytes(1, 20).plus(new StoredBytes(300, 4_000))).isEqualTo(new StoredBytes(301, 4_020));
    }
}
