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
import dev.tidemark.writer.commit.CommitPoint;
import dev.tidemark.writer.commit.DigestMark;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class MarksTest {
    private Optional<DigestMark> latest = Optional.empty();
    private final Marks marks = new Marks(() -> latest);

    @Test
    void aMarkIsTheNextUntilItIsTold() {
        assertThat(marks.next(0)).isEmpty();
        DigestMark first = make(1, 5);
        assertThat(marks.next(3)).contains(first);
        DigestMark second = make(2, 8);

        assertThat(marks.next(5)).contains(first);
        marks.told();

        assertThat(marks.next(5)).contains(second);
    }

    @Test
    void aMarkIsToldOnce() {
        make(1, 5);
        assertThat(marks.next(5)).isPresent();
        marks.told();

        assertThat(marks.next(5)).isEmpty();
    }

    @Test
    void aMarkBehindWhatIsHandedOverIsNeverTold() {
        make(1, 5);
        assertThat(marks.next(6)).isEmpty();
        assertThat(marks.next(5))
                .as("not even after what is under way was given up")
                .isEmpty();

        DigestMark atItsPlace = make(2, 6);
        assertThat(marks.next(6)).contains(atItsPlace);
    }

    @Test
    void marksThatArePassedAreNotTold() {
        make(1, 5);
        marks.pass();
        assertThat(marks.next(5)).isEmpty();

        DigestMark held = make(2, 6);
        assertThat(marks.next(5)).contains(held);
        marks.pass();
        assertThat(marks.next(5)).isEmpty();

        DigestMark later = make(3, 7);
        assertThat(marks.next(5)).contains(later);
    }

    @Test
    void aMarkGoesToThePartitionsOfWhichSomethingIsKnown() {
        SortedMap<Long, Digest> known = new TreeMap<>(Map.of(1L, Digest.EMPTY));
        List<SortedMap<Long, Digest>> partitions = IntStream.range(0, TestTables.CUSTOMERS.partitions())
                .<SortedMap<Long, Digest>>mapToObj(partition -> partition == 2 ? known : new TreeMap<>())
                .toList();
        DigestMark mark = new DigestMark(1, new CommitPoint(version(5), timeOf(5)), Map.of("customers", partitions));

        assertThat(marks.heartbeats(mark, TopicSpec.of(TestTables.CATALOG.tables())))
                .containsExactly(new Publication("customers", 2, new Heartbeat(timeOf(5), version(5), known)));
    }

    /** Makes a mark, which is the newest then. */
    private DigestMark make(long number, long sequence) {
        DigestMark mark = new DigestMark(number, new CommitPoint(version(sequence), timeOf(sequence)), Map.of());
        latest = Optional.of(mark);
        return mark;
    }
}
