package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .isEqualTo("catching_up, at most 4.3 s old, complete up to 2026-01-01T00:00:00Z");
    }

    @Test
    void saysHowManyRowsTheAnswerLacks() throws BadJsonException {
        IndexAnswer answer = answer("""
            {"freshness":{"completeUpTo":"2026-01-01T00:00:00Z","stalenessMs":40,"state":"degraded",
             "quarantined":{"count":2,"rows":[1]},"refused":1200}}
            """);
        IndexAnswer unknown = answer("{\"freshness\":{\"completeUpTo\":null,\"state\":\"unknown\",\"refused\":1}}");

        assertThat(AnswerTable.freshness(answer.freshness(), Terminals.pipe()))
                .isEqualTo("degraded, at most 40 ms old, complete up to 2026-01-01T00:00:00Z; lacks 2 quarantined and"
                        + " 1,200 refused rows");
        assertThat(AnswerTable.freshness(unknown.freshness(), Terminals.pipe()))
                .isEqualTo("unknown, nothing is known about how old this is; lacks 0 quarantined and 1 refused rows");
    }

    @Test
    void admitsThatNothingIsKnownAboutTheAge() throws BadJsonException {
        IndexAnswer answer = answer("{\"freshness\":{\"completeUpTo\":null,\"state\":\"unknown\"}}");

        assertThat(AnswerTable.freshness(answer.freshness(), Terminals.pipe()))
                .isEqualTo("unknown, nothing is known about how old this is");
    }

    @Test
    void keepsControlCharactersOfNamesAwayFromTheTerminal() throws BadJsonException {
        IndexAnswer answer = answer("""
            {"index":"by_town","entries":[{"key":{"town":"Ghent"},"primaryKey":1,"shard":3,"row":{"a\\u001b[31mb":2}}]}
            """);

        assertThat(AnswerTable.render(answer, Terminals.pipe()))
                .first()
                .isEqualTo("town   primary key  shard  a [31mb");
    }

    @Test
    void keepsControlCharactersAwayFromTheTerminal() throws BadJsonException {
        assertThat(AnswerTable.text(RowJson.parse("\"a\\u001b[31mb\\nc\"".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo("a [31mb c");
    }

    @ParameterizedTest
    @CsvSource({
        "1e3, 1000",
        "1.50, 1.50",
        "0.00000001, 0.00000001",
        "1e39, 1000000000000000000000000000000000000000",
        "1e40, 1E+40",
        "-1e1000000000, -1E+1000000000",
        "1e-1000000000, 1E-1000000000",
        "0e1000000000, 0E+1000000000",
        "123456789012345678901234567890123456789012345.5, 123456789012345678901234567890123456789012345.5"
    })
    void aNumberIsShownWithoutAnExponentUnlessThatWouldTakeManyZeros(String number, String shown)
            throws BadJsonException {
        assertThat(AnswerTable.text(RowJson.parse(number.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(shown);
    }

    private static IndexAnswer answer(String json) throws BadJsonException {
        return RowJson.as(IndexAnswer.class, RowJson.parseObject(json.getBytes(StandardCharsets.UTF_8)));
    }
}
