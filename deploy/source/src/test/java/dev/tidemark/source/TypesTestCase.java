package dev.tidemark.source;

import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows of a table {@code types} that come in a snapshot, and the same in the stream. */
abstract class TypesTestCase extends SourceTestCase {

    /**
     * Requires both to be as expected.
     *
     * @param inserts of one row each, with {@code $id} for its key
     * @param expected each row without braces, the key, and members that are null
     */
    final void requireSame(List<String> inserts, List<String> expected) throws Exception {
        following("types", "id");
        insert(inserts, 0);
        follow();
        followed();
        insert(inserts, 10);
        followed();
        for (int id = 0; id < expected.size(); id++) {
            assertThat(row(id)).isEqualTo(expected.get(id).replace("\n", ""));
            assertThat(row(10 + id)).isEqualTo(row(id));
        }
    }

    private void insert(List<String> inserts, int from) {
        for (int id = 0; id < inserts.size(); id++) {
            sql(inserts.get(id).replace("$id", Integer.toString(from + id)).split(";\n", -1));
        }
    }

    private String row(int id) {
        ObjectNode row = writer.row("types", Integer.toString(id)).deepCopy();
        row.remove("id");
        row.properties().removeIf(member -> member.getValue().isNull());
        String text = row.toString();
        return text.substring(1, text.length() - 1);
    }
}
