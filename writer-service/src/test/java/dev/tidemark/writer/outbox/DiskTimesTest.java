package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.PublishTimings;
import dev.tidemark.writer.commit.CommittedChange;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static org.assertj.core.api.Assertions.assertThat;

class DiskTimesTest {
    private static final Instant NOW = timeOf(10);

    private final DiskTimes times = new DiskTimes();

    @Test
    void tellsEachChangeTheTimeOfItsGroup() {
        times.add(batch(put(1, 1, "a"), put(2, 2, "b")), Duration.ofMillis(4));
        times.add(batch(put(3, 3, "c")), Duration.ofMillis(7));
        assertThat(onDisk(1, 2, 3)).containsExactly(4_000L, 4_000L, 7_000L);
        assertThat(times.handOver(List.of(put(3, 3, "c")), NOW))
                .singleElement()
                .satisfies(publication ->
                        assertThat(publication.handover()).isEqualTo(new PublishTimings(7_000, 7_000_000)));
    }

    @Test
    void canBeAskedAgainUntilItMayForget() {
        times.add(batch(put(1, 1, "a"), put(2, 2, "b")), Duration.ofMillis(4));
        assertThat(onDisk(1)).containsExactly(4_000L);
        times.forget(1);
        assertThat(onDisk(2)).as("the rest of a group").containsExactly(4_000L);
        times.forget(2);
        assertThat(onDisk(2)).as("forgotten").containsExactly(0L);
    }

    @Test
    void knowsNothingOfChangesBeforeItsTime() {
        times.add(batch(put(5, 1, "a")), Duration.ofMillis(4));
        assertThat(onDisk(3, 4, 5, 6)).containsExactly(0L, 0L, 4_000L, 0L);
    }

    @Test
    void forgetsTheOldestWhenTooManyGroupsWait() {
        for (int sequence = 1; sequence <= 10_001; sequence++) {
            times.add(batch(put(sequence, 1, "a")), Duration.ofMillis(4));
        }
        assertThat(onDisk(1, 2, 10_001)).containsExactly(0L, 4_000L, 4_000L);
    }

    private List<Long> onDisk(long... sequences) {
        List<CommittedChange> page = new ArrayList<>();
        for (long sequence : sequences) {
            page.add(put(sequence, 1, "a"));
        }
        return times.handOver(page, NOW).stream()
                .map(publication -> publication.handover().onDiskMicros())
                .toList();
    }
}
