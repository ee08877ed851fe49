package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class CommittedChangeTest {
    @Test
    void occupiesMoreWithEachByteOfItsKeyAndOfItsRow() {
        assertThat(delete(101).bytes()).isEqualTo(delete(1).bytes() + 100);
        assertThat(TestTables.put(1, 1, "abcd").bytes())
                .isEqualTo(TestTables.put(1, 1, "a").bytes() + 3);
        assertThat(delete(1).bytes()).isGreaterThan(1);
    }

    @Test
    void occupiesAsMuchMoreWithEachPlacement() {
        long first = placed(1) - placed(0);

        assertThat(first).isPositive();
        assertThat(placed(5)).isEqualTo(placed(0) + 5 * first);
    }

    private static long placed(int times) {
        List<Placement> placements =
                Collections.nCopies(times, new Placement(new DerivedTable("customers", "by_town", 7), 1, true));
        return delete(1).placed(placements).bytes();
    }

    private static CommittedChange delete(int keyBytes) {
        KeyBytes key = KeyBytes.wrap(new byte[keyBytes]);
        return new CommittedChange("customers", 0, new ChangeEvent.Deleted(key, version(1), Instant.EPOCH));
    }
}
