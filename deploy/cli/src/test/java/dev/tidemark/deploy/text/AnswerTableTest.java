package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import dev.tidemark.api.IndexAnswer;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

final class AnswerTableTest {

    @Test
    void showsKeyPrimaryKeyShardAndWhatElseTheEntryCarries() throws BadJsonException {
        IndexAnswer answer = answer("""
            {"index":"by_town","entries":[
             {"key":{"town":"Redmond"},"primaryKey":1001,"shard":3,"row":{"id":1001,"town":"Redmond","tags":["a","b"]}},
             {"key":{"town":"Redmond"},"primaryKey":["x",2],"shard":0,"row":{"id":["x",2],"town":"Redmond","note":null}}],
             "next":null,"freshness":{"completeUpTo":"2026-01-01T00:00:00Z","stalenessMs":40,"state":"steady"}}
            """);

        assertThat(AnswerTable.render(answer, Terminals.pipe()))
                .containsExactly(
                        "town     primary key  shard  tags  note",
                        "-------  -----------  -----  ----  ----",
                        "Redmond  1001             3  a, b",
                        "Redmond  x, 2             0");
        assertThat(answer.next()).isEmpty();
    }

    @Test
    void saysHowOldTheAnswerMayBe() throws BadJsonException {
        IndexAnswer answer = answer("""
            {"freshness":{"completeUpTo":"2026-01-01T00:00:00Z","stalenessMs":4210,"state":"catching_up"}}
            """);

        assertThat(AnswerTable.freshness(answer.freshness(), Terminals.pipe()))
                .isEqualTo("catching_up, at most 4.2 s old, complete up to 2026-01-01T00:00:00Z");
    }

    @Test
    void admitsThatNothingIsKnownAboutTheAge() throws BadJsonException {
        IndexAnswer answer = answer("{\"freshness\":{\"completeUpTo\":null,\"state\":\"unknown\"}}");

        assertThat(AnswerTable.freshness(answer.freshness(), Terminals.pipe()))
                .isEqualTo("unknown, nothing is known about how old this is");
    }

    @Test
    void keepsControlCharactersAwayFromTheTerminal() throws BadJsonException {
        assertThat(AnswerTable.text(RowJson.parse("\"a\\u001b[31mb\\nc\"".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo("a [31mb c");
    }

    private static IndexAnswer answer(String json) throws BadJsonException {
        return RowJson.as(IndexAnswer.class, RowJson.parseObject(json.getBytes(StandardCharsets.UTF_8)));
    }
}
