package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class AcknowledgedEndsTest {
    private static final Shard SHARD = new Shard("customers", 1);
    private static final ChangeMessage CHANGE = new ChangeEvent.Deleted(customerKey(1), version(1), timeOf(1));
    private static final ChangeMessage HEARTBEAT = new Heartbeat(timeOf(1), version(1));

    private final AcknowledgedEnds ends = new AcknowledgedEnds();

    @Test
    void recordsThatFollowOnThoseBeforeTellNothing() {
        found(5);

        assertThat(seen(CHANGE, 5, 6)).isEqualTo(nothing());
        assertThat(seen(CHANGE, 7)).isEqualTo(nothing());
        assertThat(seen(HEARTBEAT, 8)).isEqualTo(nothing());

        assertThat(ends.end(SHARD)).contains(9L);
    }

    @Test
    void theFirstRecordsOfAPartitionTellNothingBeforeItsEndIsKnown() {
        assertThat(ends.end(SHARD)).isEmpty();

        assertThat(seen(CHANGE, 5)).isEqualTo(nothing());

        assertThat(ends.end(SHARD)).contains(6L);
    }

    @Test
    void aRecordBeforeTheEndTellsOfALoss() {
        found(5);

        AcknowledgedEnds.Seen seen = seen(HEARTBEAT, 4);

        assertThat(seen.losses()).containsOnlyKeys(SHARD).containsValue(new AcknowledgedEnds.Loss(5, 4, false));
        assertThat(seen.strays()).isEmpty();
        assertThat(seen.loss())
                .contains("topic tidemark.changes.customers has lost records: partition 1 ended at 5 and goes on from"
                        + " 4");
        assertThat(seen(HEARTBEAT, 5)).as("a loss is told once").isEqualTo(nothing());
    }

    @Test
    void aRecordBehindTheEndTellsOfStrayRecords() {
        found(5);

        AcknowledgedEnds.Seen seen = seen(CHANGE, 6);

        assertThat(seen.losses()).isEmpty();
        assertThat(seen.loss()).isEmpty();
        assertThat(seen.strays()).containsExactly(new RecordRange(SHARD, 5, 6));
    }

    @Test
    void tellsWhetherWhatIsLostWasAmongChangesThatWereSentAtOnce() {
        found(5);
        assertThat(seen(CHANGE, 5, 6, 6, 7).losses()).containsValue(new AcknowledgedEnds.Loss(7, 6, true));
        assertThat(seen(HEARTBEAT, 8, 9, 9).losses()).containsValue(new AcknowledgedEnds.Loss(10, 9, false));
    }

    @Test
    void severalLossesAreToldAsOneThatIsAsBadAsTheWorstOfThem() {
        found(5);

        AcknowledgedEnds.Seen seen = seen(CHANGE, 4, 2);

        assertThat(seen.losses()).containsValue(new AcknowledgedEnds.Loss(5, 2, true));
        assertThat(seen.loss()).hasValueSatisfying(text -> assertThat(text).endsWith("ended at 5 and goes on from 2"));
        assertThat(seen(HEARTBEAT, 2, 2).losses()).containsValue(new AcknowledgedEnds.Loss(3, 2, false));
    }

    @Test
    void aLookSetsTheEnd() {
        found(9);
        found(5);

        assertThat(seen(CHANGE, 5)).isEqualTo(nothing());
    }

    @Test
    void expectsMessagesBehindThoseThatAreUnderWay() {
        assertThat(expected(1, 1)).containsExactly(0L, 1L);
        found(5);
        assertThat(expected(1, 0, 1)).containsExactly(5L, 0L, 6L);
        assertThat(expected(1)).containsExactly(7L);

        assertThat(seen(CHANGE, 5, 6)).isEqualTo(nothing());

        assertThat(expected(1)).containsExactly(8L);
    }

    @Test
    void whatIsGivenUpIsNotUnderWay() {
        found(5);
        expected(1, 1, 0);
        ends.giveUp("movies");
        assertThat(expected(1)).containsExactly(7L);
        ends.giveUp("customers");
        assertThat(expected(1, 0)).containsExactly(5L, 0L);

        ends.nothingUnderWay();

        assertThat(expected(1, 0)).containsExactly(5L, 0L);
    }

    @Test
    void whatComesAfterItWasGivenUpLeavesNothingUnderWay() {
        found(5);
        expected(1);
        ends.giveUp("customers");
        expected(1);

        assertThat(seen(CHANGE, 5, 6)).isEqualTo(nothing());

        assertThat(expected(1)).containsExactly(7L);
    }

    private static AcknowledgedEnds.Seen nothing() {
        return new AcknowledgedEnds.Seen(Map.of(), List.of());
    }

    private void found(long end) {
        ends.found(TestTables.CUSTOMERS, List.of(0L, end, 0L, 0L));
    }

    /** Messages of one kind that were sent at once are acknowledged, and stand at these offsets. */
    private AcknowledgedEnds.Seen seen(ChangeMessage message, long... offsets) {
        AppendedOffsets appended = new AppendedOffsets();
        LongStream.of(offsets)
                .forEach(offset -> appended.add(new Publication(SHARD.table(), SHARD.partition(), message), offset));
        return ends.seen(appended);
    }

    /** Which offsets are expected of changes to these partitions. */
    private List<Long> expected(int... partitions) {
        List<Publication> messages = IntStream.of(partitions)
                .mapToObj(partition -> new Publication("customers", partition, CHANGE))
                .toList();
        return ends.expecting(messages, 1).stream()
                .map(message -> message.expectation().offset())
                .toList();
    }
}
