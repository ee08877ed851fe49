package dev.tidemark.worker.apply;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class RowRepairTest {
    private static final KeyBytes ROW = key(1);

    @Test
    void whatWasSeenInEitherIsSeenInBothTogether() {
        RowRepair both = seen(5, Map.of(1L, Set.of(key(2)), 2L, Set.of(key(3))))
                .and(seen(5, Map.of(2L, Set.of(key(4)), 3L, Set.of(key(5)))));

        assertThat(both.seen()).isEqualTo(Map.of(1L, Set.of(key(2)), 2L, Set.of(key(3), key(4)), 3L, Set.of(key(5))));
        assertThat(both.primaryKey()).isEqualTo(ROW);
    }

    @Test
    void theFactThatWasAskedForLaterCounts() {
        RowRepair there = new RowRepair(
                ROW,
                Optional.of(new RowRepair.Fact(ChangeLog.version(4), ChangeLog.document("{\"id\":1}"))),
                ChangeLog.version(5),
                new TreeMap<>(),
                Optional.empty());
        RowRepair gone = seen(6, Map.of());

        assertThat(there.and(gone)).isEqualTo(gone.and(there));
        assertThat(there.and(gone).fact()).isEmpty();
        assertThat(there.and(gone).asOf()).isEqualTo(ChangeLog.version(6));
        assertThat(there.and(seen(5, Map.of())).fact())
                .as("of two as late the one at hand")
                .isPresent();
    }

    @Test
    void aVersionThatTheWriterNeverGaveIsRememberedFromEither() {
        RowVersion forged = ChangeLog.version(99);
        RowRepair plain = seen(5, Map.of());
        RowRepair foreign =
                new RowRepair(ROW, Optional.empty(), ChangeLog.version(4), new TreeMap<>(), Optional.of(forged));

        assertThat(plain.and(foreign).foreign()).contains(forged);
        assertThat(foreign.and(plain).foreign()).contains(forged);
    }

    private static RowRepair seen(long asOf, Map<Long, Set<KeyBytes>> keys) {
        return new RowRepair(ROW, Optional.empty(), ChangeLog.version(asOf), new TreeMap<>(keys), Optional.empty());
    }

    private static KeyBytes key(int value) {
        return KeyBytes.wrap(new byte[] {(byte) value});
    }
}
