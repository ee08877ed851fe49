package dev.tidemark.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class RowRedactorTest {
    private static final String REPORT = "'indexes':[{'index':'by_year','valid':1,'examples':[{'kind':'stale',"
            + "'primaryKey':'SECRET','shard':0,'key':{'year':'SECRET'},'found':{'a':'SECRET'},'expected':{'a':'SECRET'},"
            + "'version':'1','factVersion':'2'}]}]";

    private final RowRedactor all = new RowRedactor(table -> true);
    private final RowRedactor none = new RowRedactor(table -> table.equals("people"));

    @Test
    void reportsKeepTheirNumbersAlone() throws Exception {
        String job = "{'table':'films','state':'done'," + REPORT + ",'after':{" + REPORT + "}}";
        assertThat(all.inJob(json(job))).isEqualTo(json(job));

        ObjectNode hidden = none.inJob(json(job));

        assertThat(hidden.toString()).doesNotContain("SECRET");
        JsonNode example = hidden.at("/indexes/0/examples/0");
        assertThat(example.path("kind").asText()).isEqualTo("stale");
        assertThat(example.path("factVersion").asText()).isEqualTo("2");
        assertThat(example.path("hidden").asBoolean()).isTrue();
        assertThat(example.path("found").isNull()).isTrue();
        assertThat(none.inJob(json(job.replace("films", "people"))).toString()).contains("SECRET");
    }

    @Test
    void whyAJobFailedMayQuoteKeys() throws Exception {
        String job = "{'table':'films','state':'failed','detail':'Expected a key above SECRET'}";
        assertThat(all.inJob(json(job))).isEqualTo(json(job));

        assertThat(none.inJob(json(job)).toString())
                .doesNotContain("SECRET")
                .contains("facts:films", "\"state\":\"failed\"");
    }

    @Test
    void plansKeepTheirNumbersAlone() throws Exception {
        String plan = "{'id':'1','tables':[{'table':'films','indexes':[{'index':'by_year',"
                + "'hottest':[{'key':['SECRET'],'entries':7}],"
                + "'refusedRows':[{'primaryKey':'SECRET','reason':'year is SECRET'}]}]}]}";
        assertThat(all.inPlan(json(plan))).isEqualTo(json(plan));

        ObjectNode hidden = none.inPlan(json(plan));

        assertThat(hidden.toString()).doesNotContain("SECRET").contains("facts:films");
        assertThat(hidden.at("/tables/0/indexes/0/hottest/0/entries").asInt()).isEqualTo(7);
        assertThat(hidden.at("/tables/0/indexes/0/hottest/0/key")).isEmpty();
    }

    @Test
    void anIndexKeepsTheVersionsOfRowsThatItRefused() throws Exception {
        String index = "{'index':'by_year','table':'films','refusedRows':["
                + "{'primaryKey':'SECRET','partition':0,'version':'1','reason':'year is SECRET'}]}";
        ObjectNode hidden = none.inIndex(json(index));

        assertThat(hidden.toString()).doesNotContain("SECRET");
        assertThat(hidden.at("/refusedRows/0/version").asText()).isEqualTo("1");
    }

    private static ObjectNode json(String text) throws Exception {
        return RowJson.parseObject(text.replace('\'', '"').getBytes(UTF_8));
    }
}
