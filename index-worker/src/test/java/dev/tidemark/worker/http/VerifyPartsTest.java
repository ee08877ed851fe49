package dev.tidemark.worker.http;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class VerifyPartsTest {
    private static final String PART = "{'state':'done','basis':'rows','watermark':{'version':'1',"
            + "'time':'2026-01-01T00:00:00Z'},'indexes':[],'repaired':0,'rows':%d%s}";

    private final ObjectNode together = JsonValues.object().put("table", "people");

    @Test
    void countsEachRowOfTheTableOnceAlthoughWorkersHoldItInSeveralPlaces() throws Exception {
        VerifyParts.together(
                together,
                List.of(
                        part(6, ",'rowsByHome':{'people':6,'people.by_tag.3':12}"),
                        part(6, ",'rowsByHome':{'people':6,'people.by_tag.3':2}"),
                        part(4, ",'rowsByHome':{'people.by_tag.3':4}")));

        assertThat(together.path("rows").asLong()).isEqualTo(12);
        assertThat(together.has("rowsByHome")).isFalse();
    }

    @Test
    void whatAWorkerCouldNotCompareIsNotSaidToBeEqual() throws Exception {
        JsonNode done = part(6, ",'held':[0]");
        JsonNode without = RowJson.parse("{\"state\":\"failed\",\"held\":[]}".getBytes(UTF_8));
        VerifyParts.together(together, List.of(done, without));
        assertThat(together.path("equal").asBoolean()).isTrue();
        JsonNode failed = RowJson.parse("{\"state\":\"failed\",\"held\":[1]}".getBytes(UTF_8));
        VerifyParts.together(together, List.of(done, failed));
        assertThat(together.path("state").asText()).isEqualTo("done");
        assertThat(together.path("equal").asBoolean()).isFalse();
    }

    @Test
    void takesTheRowsOfAWorkerThatDoesNotSayWhereTheyAre() throws Exception {
        VerifyParts.together(together, List.of(part(6, ",'rowsByHome':{'people':6}"), part(5, "")));

        assertThat(together.path("rows").asLong()).isEqualTo(11);
    }

    @Test
    void oneWorkerAloneShowsOnlyTheSum() throws Exception {
        ObjectNode alone = (ObjectNode) part(6, ",'rowsByHome':{'people':6},'held':[0],'after':{'rowsByHome':{}}");

        VerifyParts.alone(alone);

        assertThat(alone.toString()).contains("\"rows\":6").doesNotContain("rowsByHome", "held");
    }

    private static JsonNode part(long rows, String rest) throws Exception {
        return RowJson.parse(PART.formatted(rows, rest).replace('\'', '"').getBytes(UTF_8));
    }
}
