package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.digest.Digest;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.DigestCheckpoint;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class DigestCheckpointsTest {
    private Optional<DigestCheckpoint> latest = Optional.empty();
    private final DigestCheckpoints checkpoints = new DigestCheckpoints(() -> latest);

    @Test
    void aMarkIsTheNextUntilItIsTold() {
        assertThat(checkpoints.next(0)).isEmpty();
        DigestCheckpoint first = make(1, 5);
        assertThat(checkpoints.next(3)).contains(first);
        DigestCheckpoint second = make(2, 8);

        assertThat(checkpoints.next(5)).contains(first);
        checkpoints.told();

        assertThat(checkpoints.next(5)).contains(second);
    }

    @Test
    void aMarkIsToldOnce() {
        make(1, 5);
        assertThat(checkpoints.next(5)).isPresent();
        checkpoints.told();

        assertThat(checkpoints.next(5)).isEmpty();
    }

    @Test
    void aMarkBehindWhatIsHandedOverIsNeverTold() {
        make(1, 5);
        assertThat(checkpoints.next(6)).isEmpty();
        assertThat(checkpoints.next(5))
                .as("not even after what is under way was given up")
                .isEmpty();

        DigestCheckpoint atItsPlace = make(2, 6);
        assertThat(checkpoints.next(6)).contains(atItsPlace);
    }

    @Test
    void marksThatArePassedAreNotTold() {
        make(1, 5);
        checkpoints.pass();
        assertThat(checkpoints.next(5)).isEmpty();

        DigestCheckpoint held = make(2, 6);
        assertThat(checkpoints.next(5)).contains(held);
        checkpoints.pass();
        assertThat(checkpoints.next(5)).isEmpty();

        DigestCheckpoint later = make(3, 7);
        assertThat(checkpoints.next(5)).contains(later);
    }

    @Test
    void aMarkGoesToThePartitionsOfWhichSomethingIsKnown() {
        SortedMap<Long, Digest> known = new TreeMap<>(Map.of(1L, Digest.EMPTY));
        List<SortedMap<Long, Digest>> partitions = IntStream.range(0, TestTables.CUSTOMERS.partitions())
                .<SortedMap<Long, Digest>>mapToObj(partition -> partition == 2 ? known : new TreeMap<>())
                .toList();
        DigestCheckpoint mark =
                new DigestCheckpoint(1, new CommitPosition(version(5), timeOf(5)), Map.of("customers", partitions));

        assertThat(checkpoints.heartbeats(mark, TestTables.CATALOG.tables()))
                .containsExactly(new Publication("customers", 2, new Heartbeat(timeOf(5), version(5), known)));
    }

    /** Makes a mark, which is the newest then. */
    private DigestCheckpoint make(long number, long sequence) {
        DigestCheckpoint mark =
                new DigestCheckpoint(number, new CommitPosition(version(sequence), timeOf(sequence)), Map.of());
        latest = Optional.of(mark);
        return mark;
    }
}
