package dev.tidemark.worker.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;

import static org.assertj.core.api.Assertions.assertThat;

class GenerationStatsTest {
    private static final RowVersion VERSION = new RowVersion(1, 7);
    private static final RowState ROW = new RowState(
            VERSION,
            Standing.LIVE,
            Map.of(
                    1L,
                    new Entries(List.of(key("a"), key("b")), 5, Optional.empty()),
                    2L,
                    Entries.refused("too long"),
                    3L,
                    Entries.NONE));

    @Test
    void countsARowWithItsEntriesUnderItsKey() {
        GenerationStats stats = GenerationStats.of(key("p"), ROW, 1);

        assertThat(stats)
                .isEqualTo(new GenerationStats(
                        2,
                        1,
                        0,
                        EntryDigest.ofEntry(key("ap"), 5, VERSION).plus(EntryDigest.ofEntry(key("bp"), 5, VERSION)),
                        EntryDigest.ofContent(key("ap"), 5).plus(EntryDigest.ofContent(key("bp"), 5))));
        assertThat(GenerationStats.of(key("p"), ROW, 2))
                .isEqualTo(new GenerationStats(0, 1, 1, Digest.EMPTY, Digest.EMPTY));
        assertThat(GenerationStats.of(key("p"), ROW, 3))
                .isEqualTo(new GenerationStats(0, 1, 0, Digest.EMPTY, Digest.EMPTY));
        assertThat(GenerationStats.of(key("p"), ROW, 4)).isEqualTo(GenerationStats.NONE);
    }

    @Test
    void takingAwayUndoesAdding() {
        GenerationStats one = new GenerationStats(10, 20, 30, new Digest(1, 2), new Digest(3, 4));
        GenerationStats other = new GenerationStats(1, 2, 3, new Digest(10, 20), new Digest(30, 40));

        assertThat(one.plus(other)).isEqualTo(new GenerationStats(11, 22, 33, new Digest(11, 22), new Digest(33, 44)));
        assertThat(one.plus(other).minus(other)).isEqualTo(one);
    }

    private static KeyBytes key(String text) {
        return KeyBytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
