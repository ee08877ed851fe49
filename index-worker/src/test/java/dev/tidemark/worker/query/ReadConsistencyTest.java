package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

class ReadConsistencyTest {
    @Test
    void onlyAVersionOrAStalenessIsWaitedFor() {
        assertThat(isDemanding(Map.of(), Optional.empty())).isFalse();
        assertThat(isDemanding(Map.of(0, new RowVersion(1, 7)), Optional.empty()))
                .isTrue();
        assertThat(isDemanding(Map.of(), Optional.of(Duration.ZERO))).isTrue();
    }

    @Test
    void whatWasSeenOnlyGrows() {
        ReadConsistency demand = new ReadConsistency(
                Map.of(),
                Map.of(0, new RowVersion(1, 7), 1, new RowVersion(1, 7)),
                Optional.empty(),
                ReadConsistency.USUAL_WAIT);
        assertThat(demand.seenAfter(new TreeMap<>(Map.of(0, new RowVersion(1, 6), 2, new RowVersion(1, 3)))))
                .isEqualTo(Map.of(0, new RowVersion(1, 7), 1, new RowVersion(1, 7), 2, new RowVersion(1, 3)));
    }

    private static boolean isDemanding(Map<Integer, RowVersion> versions, Optional<Duration> maxStaleness) {
        return new ReadConsistency(versions, Map.of(), maxStaleness, ReadConsistency.USUAL_WAIT).isDemanding();
    }
}
