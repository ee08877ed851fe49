package dev.tidemark.api;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ApiRecordsTest {
    @Test
    void whatAnAnswerLacksIsEmptyAndWhatItHasBesidesIsIgnored() throws BadJsonException {
        for (String json : List.of("{'later':1}", "{'rows':null,'next':null}")) {
            assertThat(read(RowPage.class, json)).isEqualTo(new RowPage(List.of(), ""));
        }
        IndexAnswer answer = read(IndexAnswer.class, "{'entries':[{'shard':3}]}");
        assertThat(answer.freshness())
                .isEqualTo(new IndexAnswer.Freshness("", null, "unknown", new IndexAnswer.Quarantined(0), 0));
        assertThat(answer.entries().get(0).row().isNull()).isTrue();
        assertThat(answer.entries().get(0).row().path("town").isMissingNode()).isTrue();
    }

    @Test
    void numbersOfRowsStayExact() throws BadJsonException {
        RowPage page = read(RowPage.class, "{'rows':[{'key':7,'row':{'price':1.10}}]}");

        assertThat(page.rows().get(0).row()).hasToString("{\"price\":1.10}");
    }

    @Test
    void anIndexIsKnownByItsTableAndItsGeneration() throws BadJsonException {
        IndexLifecycle index = read(
                IndexLifecycle.class, "{'index':'by_town','table':'people','life':{'state':'ready','generation':3}}");

        assertThat(index.is("people", "by_town", 3)).isTrue();
        assertThat(index.is("people", "by_town", 4)).isFalse();
        assertThat(index.is("people", "by_name", 3)).isFalse();
        assertThat(index.isReady()).isTrue();
        assertThat(index.progress().rowsTotal()).isZero();
        assertThat(read(IndexLifecycle.class, "{'index':'people.by_town','table':'people'}"))
                .satisfies(unknown -> assertThat(unknown.qualifiedName()).isEqualTo("people.by_town"))
                .satisfies(unknown -> assertThat(unknown.state()).isEqualTo("unknown"));
    }

    @Test
    void anIndexGainsNothingOnlyWhereItsWorkerReportsIt() throws BadJsonException {
        LagReport lag = read(
                LagReport.class,
                "{'tables':[{'table':'a'},{'table':'b'}],'indexes':[{'table':'a','gainsNothing':true},{'table':'b'}]}");

        assertThat(lag.indexes()).extracting(LagReport.IndexLag::gainsNothing).containsExactly(true, false);
        assertThat(lag.of("b").indexes())
                .singleElement()
                .isEqualTo(lag.indexes().get(1));
    }

    @Test
    void aServiceWritesWhatAClientReads() throws BadJsonException {
        BulkResult result = new BulkResult(2, List.of(new BulkResult.Rejection(7, "no key")), 1, "t");

        JsonNode json = RowJson.parse(RowJson.write(result));

        assertThat(json)
                .hasToString("{\"committed\":2,\"rejected\":[{\"line\":7,\"detail\":\"no key\"}],\"rejectedTotal\":1,"
                        + "\"token\":\"t\"}");
        assertThat(RowJson.as(BulkResult.class, json)).isEqualTo(result);
    }

    @Test
    void anAnswerOfAnotherShapeIsRefused() {
        assertThatThrownBy(() -> read(BulkResult.class, "{'committed':'many'}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static <T> T read(Class<T> type, String json) throws BadJsonException {
        return RowJson.as(type, RowJson.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }
}
