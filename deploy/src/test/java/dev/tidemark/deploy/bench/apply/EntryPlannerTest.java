package dev.tidemark.deploy.bench.apply;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.bench.apply.RecordFeed.FeedRecord;
import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

final class EntryPlannerTest {
    @Test
    void aMovedRowLosesItsOldEntryAndOneThatStaysDoesNot() {
        EntryWrites writes = EntryPlanner.plan(
                List.of(record(0, "a", row("Redmond")), record(1, "b", row("Bothell"))),
                rows -> List.of(entry("Seattle", "a"), entry("Bothell", "b")));

        assertThat(writes.changes().get(0).gone()).isEqualTo(entry("Seattle", "a"));
        assertThat(writes.changes().get(0).entry()).isEqualTo(entry("Redmond", "a"));
        assertThat(writes.changes().get(1).gone()).isNull();
    }

    @Test
    void aRowThatComesTwiceIsMovedFromWhereItsFirstChangePutIt() {
        EntryWrites writes = EntryPlanner.plan(
                List.of(record(0, "a", row("Redmond")), record(1, "a", row("Bothell"))), EntryPlannerTest::nothing);

        assertThat(writes.changes().get(0).gone()).isNull();
        assertThat(writes.changes().get(1).gone()).isEqualTo(entry("Redmond", "a"));
    }

    @Test
    void aDeletedRowLosesItsEntryAndARecordOfNoRowOnlyMovesTheOffset() {
        EntryWrites writes = EntryPlanner.plan(
                List.of(record(7, "a", null), new FeedRecord(3, 8, null, null)),
                rows -> List.of(entry("Redmond", "a")));

        assertThat(writes.changes()).hasSize(1);
        assertThat(writes.changes().get(0).gone()).isEqualTo(entry("Redmond", "a"));
        assertThat(writes.changes().get(0).entry()).isNull();
        assertThat(writes.offsets()).containsEntry(3, 9L);
    }

    private static List<@Nullable KeyBytes> nothing(List<KeyBytes> rows) {
        List<@Nullable KeyBytes> none = new ArrayList<>();
        rows.forEach(row -> none.add(null));
        return none;
    }

    private static FeedRecord record(long offset, String key, @Nullable String row) {
        return new FeedRecord(3, offset, utf8(key), row == null ? null : utf8(row));
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
