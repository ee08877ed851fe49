package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

final class ExplanationLinesTest {
    @Test
    void showsEntriesVersionsAndTimes() throws BadJsonException {
        assertThat(lines("""
                        {"index":"by_year","table":"films","primaryKey":["a",7],"shard":2,"outcome":"in_index",
                         "reason":"the index holds the row with 1 entry","version":"0001","committedAt":"T0",
                         "visibleSince":null,"entries":[{"key":{"year":1995,"title":"Heat"}}],
                         "factTable":{"reachable":true,"version":"0001"}}
                        """)).isEqualTo("""
                        by_year, row a, 7 of table films, shard 2: in_index
                        the index holds the row with 1 entry
                        year  title
                        ----  -----
                        1995  Heat
                        version 0001 here, committed T0, visible since at a time that was not noted
                        version 0001 in the fact table""");
    }

    @Test
    void showsWhatCouldNotBeAsked() throws BadJsonException {
        assertThat(lines("""
                        {"index":"by_year","outcome":"not_known","version":null,"entries":[],
                         "factTable":{"reachable":false,"detail":"the writer is away"}}
                        """)).endsWith("\nthe fact table was not asked: the writer is away");
        assertThat(lines("{\"outcome\":\"no_such_row\",\"factTable\":{\"reachable\":true,\"version\":null}}"))
                .endsWith("\nno such row in the fact table");
    }

    private static String lines(String json) throws BadJsonException {
        return String.join(
                "\n", ExplanationLines.render(RowJson.parse(json.getBytes(StandardCharsets.UTF_8)), Terminals.pipe()));
    }
}
