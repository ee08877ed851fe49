package dev.tidemark.worker.http;

import java.net.http.HttpResponse;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.row.RowJson;
import dev.tidemark.worker.testkit.ChangeLog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ExplainRoutesTest {
    private static final String HEAT = "{\"id\":1,\"title\":\"Heat\",\"year\":1995,\"kind\":\"film\",\"cast\":[\"A\"]}";

    private final RowServer server = new RowServer();

    @BeforeEach
    void follow() {
        server.shelf.log().put(95, HEAT).heartbeat(100);
        server.shelf.deliver();
        server.facts.put(95, HEAT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void showsTheEntriesWithVersionAndTimes() throws Exception {
        assertThat(server.json("/v1/indexes/by_year/explain?key=1"))
                .isEqualTo(json("{'index':'by_year','table':'films','primaryKey':1,'shard':0,'outcome':'in_index',"
                        + "'reason':'the index holds the row with 1 entry','version':'0001000000000000095',"
                        + "'committedAt':'2026-01-01T00:01:35Z','visibleSince':'2026-01-01T00:01:40Z',"
                        + "'entries':[{'key':{'year':1995,'title':'Heat'}}],"
                        + "'factTable':{'reachable':true,'version':'0001000000000000095'},"
                        + "'freshness':{'completeUpTo':'2026-01-01T00:01:40Z','stalenessMs':0,'state':'steady'}}"));
    }

    @Test
    void namesTheFieldOfWhatLeavesARowOut() throws Exception {
        JsonNode filtered = server.json("/v1/indexes/recent/explain?key=1");
        assertThat(filtered.path("outcome").textValue()).isEqualTo("filtered");
        assertThat(filtered.path("field").textValue()).isEqualTo("year");
        assertThat(filtered.path("reason").textValue()).contains("where requires year gte 2000, but year is");
        assertThat(filtered.path("entries")).isEmpty();
        server.shelf.log().put(96, HEAT.replace("[\"A\"]", "[]"));
        server.shelf.deliver();
        server.facts.put(96, HEAT.replace("[\"A\"]", "[]"));
        JsonNode without = server.json("/v1/indexes/by_actor/explain?key=1");
        assertThat(without.path("outcome").textValue()).isEqualTo("no_value");
        assertThat(without.path("field").textValue()).isEqualTo("cast");
    }

    @Test
    void showsWhatAChangeWaitsForBesideWhatIsThere() throws Exception {
        server.facts.put(103, HEAT);

        JsonNode answer = server.json("/v1/indexes/by_year/explain?key=1");
        assertThat(answer.path("outcome").textValue()).isEqualTo("not_applied");
        assertThat(answer.path("pending"))
                .isEqualTo(json("{'changesBefore':2,'etaSeconds':null,'version':'0001000000000000103'}"));
        assertThat(answer.path("version").textValue())
                .isEqualTo(ChangeLog.version(95).toString());
        assertThat(answer.path("entries")).hasSize(1);
    }

    @Test
    void aTableAndAnIndexMayHaveTheNameOfTheCall() throws Exception {
        assertThat(server.json("/v1/indexes/films.explain/explain?key=1")
                        .path("outcome")
                        .textValue())
                .isEqualTo("in_index");
        assertThat(server.json("/v1/indexes/films.by_year/explain?key=1")
                        .path("index")
                        .textValue())
                .isEqualTo("by_year");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            key=New%20York,Cats                 | ["New York","Cats"]
            key=New+York%2CCats                 | ["New York","Cats"]
            key=Paris%2C%20Texas,1984           | ["Paris, Texas",1984]
            key=%221984%22,a%26key%3Db          | ["1984","a&key=b"]
            """)
    void takesTheKeyApartAsThePathOfARowDoes(String query, String key) throws Exception {
        JsonNode answer = server.json("/v1/indexes/plays.explain/explain?" + query);
        assertThat(answer.path("primaryKey")).isEqualTo(RowJson.parse(key.getBytes(UTF_8)));
        assertThat(answer.path("outcome").textValue()).isEqualTo("not_held");
        assertThat(answer.path("version").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            by_colour/explain?key=1             | 404 | expected one of the indexes
            explain/explain?key=1               | 400 | films.explain or plays.explain
            by_year/explain                     | 400 | expected parameter key with the primary key [id]
            by_year/explain?key=1&key=2         | 400 | once
            by_year/explain?key=null            | 400 | but got null
            by_year/explain?key=1e2147483648    | 400 | but got 1e2147483648
            plays.explain/explain?key=a,1e99999999999 | 400 | but got 1e99999999999
            by_year/explain?key=1&limit=2       | 400 | expected no parameters other than key, but got limit
            plays.explain/explain?key=Cats      | 400 | as key of table plays, but got 1 value; in a URL, a comma
            plays.explain/explain?key=a,b,c     | 400 | but got 3 values
            """)
    void answersAProblemThatSaysWhatWasExpected(String path, int status, String detail) throws Exception {
        HttpResponse<byte[]> answer = server.get("/v1/indexes/" + path);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(RowJson.parse(answer.body()).path("detail").textValue()).contains(detail);
    }

    private static JsonNode json(String singleQuoted) throws Exception {
        return RowJson.parse(singleQuoted.replace('\'', '"').getBytes(UTF_8));
    }
}
