package dev.tidemark.worker.apply;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

class ChangeBatchTest {
    /** What a record of one byte of key and nine of value takes. */
    private static final long ONE = record(0).heldBytes();

    private final ChangeBatch batch =
            new ChangeBatch(List.of(record(10), record(11), record(15), record(16)), 20, OptionalInt.of(3));

    @Test
    void aLongerRecordTakesMore() {
        LogRecord longer =
                new LogRecord(0, new WireRecord(KeyBytes.wrap(new byte[5]), KeyBytes.wrap(new byte[19]), Map.of()));
        LogRecord without = new LogRecord(0, new WireRecord(KeyBytes.wrap(new byte[1]), null, Map.of()));

        assertThat(longer.heldBytes()).isEqualTo(ONE + 14);
        assertThat(without.heldBytes()).isEqualTo(ONE - 9).isPositive();
        assertThat(batch.heldBytes()).isEqualTo(4 * ONE);
    }

    @Test
    void whatFitsStaysWhole() {
        assertThat(batch.pieces(4 * ONE)).containsExactly(batch);
    }

    @Test
    void piecesHoldAllRecordsInTheirOrderAndEndWhereTheyWereRead() {
        assertThat(batch.pieces(4 * ONE - 1))
                .containsExactly(
                        new ChangeBatch(List.of(record(10), record(11), record(15)), 16, OptionalInt.of(3)),
                        new ChangeBatch(List.of(record(16)), 20, OptionalInt.of(3)));
        assertThat(batch.pieces(2 * ONE))
                .containsExactly(
                        new ChangeBatch(List.of(record(10), record(11)), 12, OptionalInt.of(3)),
                        new ChangeBatch(List.of(record(15), record(16)), 20, OptionalInt.of(3)));
    }

    @Test
    void itsFirstRecordsEndWhereTheNextStandsAndTheRestEndsWhereItEnds() {
        assertThat(batch.first(2)).isEqualTo(new ChangeBatch(List.of(record(10), record(11)), 15, OptionalInt.of(3)));
        assertThat(batch.after(2)).contains(new ChangeBatch(List.of(record(15), record(16)), 20, OptionalInt.of(3)));
        assertThat(batch.first(4)).isEqualTo(batch);
        assertThat(batch.after(4)).isEmpty();
    }

    @Test
    void aRecordThatDoesNotFitIsAPieceOfItsOwn() {
        assertThat(batch.pieces(1)).extracting(piece -> piece.records().size()).containsExactly(1, 1, 1, 1);
        assertThat(new ChangeBatch(List.of(), 20, OptionalInt.empty()).pieces(1))
                .containsExactly(new ChangeBatch(List.of(), 20, OptionalInt.empty()));
    }

    private static LogRecord record(long offset) {
        return new LogRecord(offset, new WireRecord(KeyBytes.wrap(new byte[1]), KeyBytes.wrap(new byte[9]), Map.of()));
    }
}
