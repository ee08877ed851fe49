package dev.tidemark.deploy.bench.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.deploy.bench.EntryTable.EntryWrites;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

final class EntryPlannerTest {
    @Test
    void aMovedRowLosesItsOldEntryAndOneThatStaysDoesNot() {
        EntryWrites writes = PlainLoop.plan(
                List.of(record(0, "a", row("Redmond")), record(1, "b", row("Bothell"))),
                rows -> Map.of(utf8("a"), entry("Seattle", "a"), utf8("b"), entry("Bothell", "b")));

        assertThat(writes.changes().get(0).gone()).isEqualTo(entry("Seattle", "a"));
        assertThat(writes.changes().get(0).entry()).isEqualTo(entry("Redmond", "a"));
        assertThat(writes.changes().get(1).gone()).isNull();
    }

    @Test
    void aRowThatComesTwiceIsMovedFromWhereItsFirstChangePutIt() {
        EntryWrites writes = PlainLoop.plan(
                List.of(record(0, "a", row("Redmond")), record(1, "a", row("Bothell"))), rows -> Map.of());

        assertThat(writes.changes().get(0).gone()).isNull();
        assertThat(writes.changes().get(1).gone()).isEqualTo(entry("Redmond", "a"));
    }

    @Test
    void aDeletedRowLosesItsEntryAndARecordOfNoRowOnlyMovesTheOffset() {
        EntryWrites writes = PlainLoop.plan(
                List.of(record(7, "a", null), new ConsumerRecord<byte[], byte[]>("t", 3, 8, null, null)),
                rows -> Map.of(utf8("a"), entry("Redmond", "a")));

        assertThat(writes.changes()).hasSize(1);
        assertThat(writes.changes().get(0).gone()).isEqualTo(entry("Redmond", "a"));
        assertThat(writes.changes().get(0).entry()).isNull();
        assertThat(writes.offsets()).containsEntry(3, 9L);
    }

    @Test
    void anEntryCarriesTheRowAsItStandsInTheChangeThatTheWriterSends() {
        WireRecord sent = new ChangeCodec("customers")
                .encode(new ChangeEvent.Upserted(
                        utf8("a"),
                        new RowVersion(1, 2),
                        Instant.EPOCH,
                        UpsertKind.UPDATE,
                        RowDocument.stored(row("Redmond").getBytes(StandardCharsets.UTF_8))));

        EntryWrites.Change change = PlainLoop.plan(
                        List.of(new ConsumerRecord<>(
                                "t",
                                3,
                                0,
                                sent.key().array(),
                                Objects.requireNonNull(sent.value()).array())),
                        rows -> Map.of())
                .changes()
                .get(0);

        assertThat(change.entry()).isEqualTo(entry("Redmond", "a"));
        assertThat(change.carried()).isEqualTo(utf8(row("Redmond")));
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset, String key, @Nullable String row) {
        byte[] value = row == null
                ? null
                : utf8("{\"op\":\"u\",\"after\":" + row + ",\"source\":{\"town\":\"no\"}}")
                        .array();
        return new ConsumerRecord<>("t", 3, offset, utf8(key).array(), value);
    }

    private static String row(String town) {
        return "{\"customerId\":1,\"tags\":[{\"town\":\"no\"}],\"town\":\"" + town + "\",\"lastName\":\"Ito\"}";
    }

    private static KeyBytes entry(String town, String key) {
        return utf8(town + "\0Ito\0" + key);
    }

    private static KeyBytes utf8(String text) {
        return KeyBytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
