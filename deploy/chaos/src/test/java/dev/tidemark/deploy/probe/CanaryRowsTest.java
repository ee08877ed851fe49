package dev.tidemark.deploy.probe;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CanaryRowsTest {
    private static final String CATALOG = """
            tables:
              canary:
                primaryKey: id
                partitions: 4
                indexes:
                  by_id: { key: [id], projection: [value] }
              films:
                primaryKey: [genre, title]
                partitions: 7
                indexes:
                  by_actor: { key: [{field: cast.names, each: true}, {field: year, order: desc}], projection: all }
                  new_ones: { key: [year], projection: keys_only, where: {year: {gte: 2000}} }
            """;

    @Test
    void choosesOneRowForEachPartition() throws Exception {
        CanaryRows rows = rows("canary", "");
        for (int partition = 0; partition < 4; partition++) {
            TableDefinition table = rows.table();
            assertThat(table.partitionOf(table.keyOf(rows.row(partition, 1)))).isEqualTo(partition);
            assertThat(rows.row(partition, 1).path("id").asText())
                    .isEqualTo(rows.key(partition).get(0));
        }
        assertThat(rows.query()).containsExactlyInAnyOrderEntriesOf(Map.of("id.prefix", "run-", "limit", "4"));
    }

    @Test
    void fillsEveryFieldOfTheKeys() throws Exception {
        CanaryRows rows = rows("films", "by_actor");
        JsonNode row = rows.row(6, 5);

        assertThat(row.path("genre").asText()).isEqualTo("run");
        assertThat(row.path("title").asText()).startsWith("run-");
        assertThat(row.path("cast").path("names").path(0).asText()).isEqualTo("run");
        assertThat(row.path("year").asText()).isEqualTo("run");
        assertThat(row.path("value").asInt()).isEqualTo(5);
        assertThat(rows.key(6)).containsExactly("run", row.path("title").asText());
        assertThat(rows.query()).containsEntry("cast.names", "run");
    }

    @Test
    void readsTheVersionsOfAnAnswer() throws Exception {
        CanaryRows rows = rows("films", "by_actor");
        JsonNode answer = json("{\"entries\":[{\"primaryKey\":[\"run\",\""
                + rows.key(3).get(1) + "\"],\"version\":\"0001000000000000042\"},"
                + "{\"primaryKey\":[\"x\",\"y\"],\"version\":\"0001000000000000043\"}]}");

        List<RowVersion> visible = rows.visible(answer);
        assertThat(visible).hasSize(7);
        assertThat(visible.get(3)).isEqualTo(new RowVersion(1, 42));
        assertThat(visible.stream().filter(RowVersion.NONE::equals)).hasSize(6);
    }

    @Test
    void refusesAnIndexThatMayNotHoldTheRows() {
        assertThatThrownBy(() -> rows("films", "new_ones"))
                .isInstanceOf(Probe.CannotProbeException.class)
                .hasMessageContaining("films.new_ones")
                .hasMessageContaining("where");
    }

    @Test
    void saysWhatToAddWhenThereIsNoTable() {
        assertThatThrownBy(() -> rows("nothing", ""))
                .isInstanceOf(Probe.CannotProbeException.class)
                .hasMessageContaining("there is no table nothing")
                .hasMessageContaining("by_id: { key: [id], projection: [value] }");
    }

    @Test
    void namesTheIndexesThatThereAre() {
        assertThatThrownBy(() -> rows("films", "by_year"))
                .isInstanceOf(Probe.CannotProbeException.class)
                .hasMessageContaining("[by_actor, new_ones]");
    }

    private static CanaryRows rows(String table, String index) throws Exception {
        TableDefinition found = CanaryRows.table(answer(), table);
        return CanaryRows.choose(found, CanaryRows.index(found, index), "run");
    }

    private static JsonNode answer() throws Exception {
        var answer = RowJson.mapper().createObjectNode();
        var tables = answer.putArray("tables");
        CatalogReader.read("test", CATALOG).tables().forEach(table -> tables.add(DefinitionJson.of(table)));
        return json(answer.toString());
    }

    private static JsonNode json(String text) throws Exception {
        return RowJson.parse(text.getBytes(UTF_8));
    }
}
