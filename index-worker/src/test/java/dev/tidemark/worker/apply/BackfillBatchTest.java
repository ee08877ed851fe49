package dev.tidemark.worker.apply;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class BackfillBatchTest {
    @Test
    void keepsEveryVersionOfARowInTheOrderOfOffsets() {
        BackfillBatch.Row first = row(1, 5);
        BackfillBatch.Row other = row(2, 6);
        BackfillBatch.Row again = row(1, 4);

        BackfillBatch batch = new BackfillBatch(Map.of(), 0, List.of(first, other, again), 3);

        assertThat(batch.byKey()).containsOnlyKeys(first.key(), other.key());
        assertThat(batch.byKey()).containsEntry(first.key(), List.of(first, again));
    }

    private static BackfillBatch.Row row(int key, long version) {
        return new BackfillBatch.Row(
                KeyBytes.wrap(new byte[] {(byte) key}), ChangeLog.version(version), new TreeMap<>());
    }
}
