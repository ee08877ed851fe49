package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.WireRecord;
import dev.tidemark.digest.Digest;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

class CheckpointedBatchTest {
    private static final ChangeCodec CODEC = new ChangeCodec("people");
    private static final Heartbeat BARE = new Heartbeat(Instant.EPOCH, new RowVersion(1, 3));
    private static final Heartbeat MARK =
            new Heartbeat(Instant.EPOCH, new RowVersion(1, 3), new TreeMap<>(Map.of(1L, new Digest(1, 2))));

    @Test
    void aBatchWithoutAMarkStaysWhole() {
        ChangeBatch batch = batch(BARE, BARE);

        assertThat(CheckpointedBatch.cut(CODEC, batch, false))
                .containsExactly(new CheckpointedBatch(batch, Optional.empty()));
    }

    @Test
    void aBatchOfAShardThatRestoresIsNotCut() {
        ChangeBatch batch = batch(BARE, MARK, BARE);

        assertThat(CheckpointedBatch.cut(CODEC, batch, true))
                .containsExactly(new CheckpointedBatch(batch, Optional.empty()));
    }

    @Test
    void aBatchIsCutBehindEachMark() {
        List<CheckpointedBatch> pieces = CheckpointedBatch.cut(CODEC, batch(BARE, MARK, MARK, BARE, BARE), false);

        assertThat(pieces).extracting(piece -> piece.batch().records().size()).containsExactly(2, 1, 2);
        assertThat(pieces).extracting(piece -> piece.batch().nextOffset()).containsExactly(102L, 103L, 200L);
        assertThat(pieces)
                .extracting(CheckpointedBatch::mark)
                .containsExactly(Optional.of(MARK), Optional.of(MARK), Optional.empty());
    }

    @Test
    void theOffsetAfterALastMarkIsThatOfTheBatch() {
        List<CheckpointedBatch> pieces = CheckpointedBatch.cut(CODEC, batch(MARK), false);

        assertThat(pieces).extracting(piece -> piece.batch().nextOffset()).containsExactly(101L, 200L);
    }

    @Test
    void aMarkThatIsNotWhereItsWriterExpectedItIsNone() {
        WireRecord plain = CODEC.encode(MARK);
        Map<String, String> headers = new HashMap<>(plain.headers());
        headers.put(ExpectedPosition.HEADER, new ExpectedPosition(101, 101, 0).text());
        LogRecord moved = new LogRecord(100, new WireRecord(plain.key(), plain.value(), headers));
        ChangeBatch batch = new ChangeBatch(List.of(moved), 200, OptionalInt.empty());

        assertThat(CheckpointedBatch.cut(CODEC, batch, false))
                .containsExactly(new CheckpointedBatch(batch, Optional.empty()));
    }

    /** Records from offset 100 on, in a batch that ends at 200 because the rest has been compacted away. */
    private static ChangeBatch batch(ChangeMessage... messages) {
        List<LogRecord> records = new ArrayList<>();
        for (ChangeMessage message : messages) {
            records.add(new LogRecord(100 + records.size(), CODEC.encode(message)));
        }
        return new ChangeBatch(records, 200, OptionalInt.empty());
    }
}
