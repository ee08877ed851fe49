package dev.tidemark.source.feed;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ColumnsTest {
    private static final Columns.Column NAME = column("t", "text", false, "1");
    private static final Columns BEFORE = columns(1, Map.of("t.name", NAME));

    private static Columns.Column column(String table, String type, boolean filled, String identity) {
        return new Columns.Column(table, type, filled, 0, identity, false, true);
    }

    private static Columns columns(long file, Map<String, Columns.Column> columns) {
        return new Columns(new TreeMap<>(columns), Map.of("t", file), Set.of());
    }

    @Test
    void aColumnThatIsNullInRowsOfBeforeLeavesThemAsTheyAre() {
        Columns added = columns(1, Map.of("t.name", NAME, "t.more", NAME));
        assertThat(added.leavesRowsAsIn(BEFORE, "t")).isTrue();
        assertThat(added.digest("t")).isNotEqualTo(BEFORE.digest("t"));
    }

    @Test
    void otherChangesDoNot() {
        Columns.Column preset = column("t", "int", true, "2");
        assertThat(columns(1, Map.of("t.name", NAME, "t.more", preset)).leavesRowsAsIn(BEFORE, "t"))
                .isFalse();
        assertThat(columns(2, Map.of("t.name", NAME, "t.more", NAME)).leavesRowsAsIn(BEFORE, "t"))
                .isFalse();
        assertThat(columns(1, Map.of("t.title", NAME)).leavesRowsAsIn(BEFORE, "t"))
                .isFalse();
        assertThat(columns(1, Map.of("t.name", column("t", "int", false, "1"))).leavesRowsAsIn(BEFORE, "t"))
                .isFalse();
    }

    @Test
    void aColumnThatTakesThePlaceOfAnotherOfItsNameIsAnother() {
        Columns replaced = columns(1, Map.of("t.name", column("t", "text", false, "2")));
        assertThat(replaced.leavesRowsAsIn(BEFORE, "t")).isFalse();
        assertThat(replaced.digest("t")).isNotEqualTo(BEFORE.digest("t"));
    }

    @Test
    void aColumnThatIsNoLongerGeneratedChangesRows() {
        Columns.Column generated = new Columns.Column("t", "text", true, 0, "1", true, true);
        Columns before = columns(1, Map.of("t.name", generated));
        assertThat(BEFORE.leavesRowsAsIn(before, "t")).isFalse();
        assertThat(BEFORE.digest("t")).isNotEqualTo(before.digest("t"));
        assertThat(before.generated()).isEqualTo(Map.of("t", Set.of("name")));
    }

    @Test
    void digestsOfFormerVersionsStandForTheColumnsThatAreSeenFirst() {
        List<String> former = BEFORE.formerDigests("t");
        Columns replaced = columns(1, Map.of("t.name", column("t", "text", false, "2")));
        ColumnHistory history = new ColumnHistory();
        history.add(BEFORE, Set.of("t"));
        history.add(replaced, Set.of("t"));

        assertThat(replaced.formerDigests("t")).contains(former.get(1));
        assertThat(former)
                .allMatch(digest -> history.leavesRows("t", digest, BEFORE.digest("t")))
                .noneMatch(digest -> history.leavesRows("t", digest, replaced.digest("t")));
    }

    @Test
    void changesThatWereNotPublishedLeadToNoRows() {
        Columns unpublished = new Columns(BEFORE.columns(), BEFORE.files(), Set.of("t"));
        String digest = unpublished.digest("t");
        ColumnHistory history = new ColumnHistory();
        history.add(unpublished, Set.of("t"));
        history.add(BEFORE, Set.of("t"));

        assertThat(history.leavesRows("t", BEFORE.digest("t"), digest)).isFalse();
        assertThat(history.leavesRows("t", digest, digest)).isFalse();
        assertThat(history.leavesRows("t", digest, BEFORE.digest("t"))).isFalse();
    }

    @Test
    void columnsThatAreSentWithMoreOrLessOfAChangeHaveOtherDigestsAndTheSameRows() {
        Columns fewer = columns(1, Map.of("t.name", new Columns.Column("t", "text", false, 0, "1", false, false)));
        assertThat(fewer.digest("t")).isNotEqualTo(BEFORE.digest("t"));
        assertThat(fewer.formerDigests("t"))
                .isEqualTo(BEFORE.formerDigests("t"))
                .doesNotContain(fewer.digest("t"));
        assertThat(fewer.leavesRowsAsIn(BEFORE, "t")).isTrue();
    }

    @Test
    void rowsThatWereAllWrittenAgainAreNoChangeOfColumns() {
        assertThat(columns(2, Map.of("t.name", NAME)).digest("t")).isEqualTo(BEFORE.digest("t"));
    }

    @Test
    void otherTablesDoNotCount() {
        Columns more = columns(1, Map.of("t.name", NAME, "u.more", column("u", "int", true, "3")));
        assertThat(more.leavesRowsAsIn(BEFORE, "t")).isTrue();
        assertThat(more.digest("t")).isEqualTo(BEFORE.digest("t"));
    }
}
