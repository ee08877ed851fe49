package dev.tidemark.source.feed;

import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ColumnsTest {
    private static final Columns.Column NAME = new Columns.Column("t", "text", false);
    private static final Columns BEFORE = columns(1, Map.of("t.name", NAME));

    private static Columns columns(long file, Map<String, Columns.Column> columns) {
        return new Columns(new TreeMap<>(columns), Map.of("t", file));
    }

    @Test
    void aColumnThatIsNullInRowsOfBeforeLeavesThemAsTheyAre() {
        Columns added = columns(1, Map.of("t.name", NAME, "t.more", NAME));
        assertThat(added.leavesRowsAsIn(BEFORE, "t")).isTrue();
        assertThat(added.digest("t")).isNotEqualTo(BEFORE.digest("t"));
    }

    @Test
    void otherChangesDoNot() {
        Columns.Column preset = new Columns.Column("t", "int", true);
        assertThat(columns(1, Map.of("t.name", NAME, "t.more", preset)).leavesRowsAsIn(BEFORE, "t"))
                .isFalse();
        assertThat(columns(2, Map.of("t.name", NAME, "t.more", NAME)).leavesRowsAsIn(BEFORE, "t"))
                .isFalse();
        assertThat(columns(1, Map.of("t.title", NAME)).leavesRowsAsIn(BEFORE, "t"))
                .isFalse();
        assertThat(columns(1, Map.of("t.name", new Columns.Column("t", "int", false)))
                        .leavesRowsAsIn(BEFORE, "t"))
                .isFalse();
    }

    @Test
    void rowsThatWereAllWrittenAgainAreNoChangeOfColumns() {
        assertThat(columns(2, Map.of("t.name", NAME)).digest("t")).isEqualTo(BEFORE.digest("t"));
    }

    @Test
    void otherTablesDoNotCount() {
        Columns more = columns(1, Map.of("t.name", NAME, "u.more", new Columns.Column("u", "int", true)));
        assertThat(more.leavesRowsAsIn(BEFORE, "t")).isTrue();
        assertThat(more.digest("t")).isEqualTo(BEFORE.digest("t"));
    }
}
