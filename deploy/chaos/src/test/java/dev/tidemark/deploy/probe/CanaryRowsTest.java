package dev.tidemark.deploy.probe;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.FieldValue;
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
                  global: { key: [id], projection: [value], scope: global, partitions: 5, salt: 2 }
                  elsewhere: { key: [town], projection: [value], scope: global, partitions: 5 }
              films:
                primaryKey: [genre, title]
                partitions: 7
                indexes:
                  by_actor: { key: [{field: cast.names, each: true}, {field: year, order: desc}], projection: all }
                  new_ones: { key: [year], projection: keys_only, where: {year: {gte: 2000}} }
            """;

    @Test
    void choosesOneRowForEachPartition() throws Exception {
        CanaryRows rows = rows("canary", "by_id", 4);
        for (int partition = 0; partition < 4; partition++) {
            TableDefinition table = rows.table();
            assertThat(table.partitionOf(table.keyOf(rows.row(partition, 1)))).isEqualTo(partition);
            assertThat(rows.row(partition, 1).path("id").asText())
                    .isEqualTo(rows.key(partition).get(0));
        }
        assertThat(rows.query()).containsExactlyInAnyOrderEntriesOf(Map.of("id.prefix", "run-", "limit", "4"));
    }

    @Test
    void choosesOneRowForEachPartitionThatAnswersWhenTheTableHasOthers() throws Exception {
        CanaryRows rows = rows("canary", "by_id", 9);
        assertThat(rows.query()).containsEntry("limit", "9");
        for (int partition = 0; partition < 9; partition++) {
            assertThat(rows.table().keyOf(rows.row(partition, 1)).partition(9)).isEqualTo(partition);
        }
    }

    @Test
    void choosesOneRowForEachPartitionOfAGlobalIndex() throws Exception {
        CanaryRows rows = rows("canary", "global", 5);
        for (int partition = 0; partition < 5; partition++) {
            ObjectNode row = rows.row(partition, 1);
            FieldValue id = new FieldValue.Text(row.path("id").asText());
            assertThat(rows.index().partitionOf(id, rows.table().keyOf(row))).isEqualTo(partition);
        }
    }

    @Test
    void refusesAGlobalIndexThatHasAllRowsInOnePartition() {
        assertThatThrownBy(() -> rows("canary", "elsewhere", 5))
                .isInstanceOf(Probe.CannotProbeException.class)
                .hasMessageContaining("begin with the last field of the primary key");
    }

    @Test
    void noticesThatARowIsInAnotherPartitionThanItWasChosenFor() throws Exception {
        CanaryRows rows = rows("canary", "by_id", 4);
        String entries = "{\"entries\":[{\"primaryKey\":\"other\",\"shard\":1},{\"primaryKey\":\"%s\",\"shard\":%d}]}";

        assertThat(rows.moved(json(entries.formatted(rows.key(2).get(0), 2)))).isFalse();
        assertThat(rows.moved(json(entries.formatted(rows.key(2).get(0), 6)))).isTrue();
    }

    @Test
    void fillsEveryFieldOfTheKeys() throws Exception {
        CanaryRows rows = rows("films", "by_actor", 7);
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
        CanaryRows rows = rows("films", "by_actor", 7);
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
        assertThatThrownBy(() -> rows("films", "new_ones", 7))
                .isInstanceOf(Probe.CannotProbeException.class)
                .hasMessageContaining("films.new_ones")
                .hasMessageContaining("where");
    }

    @Test
    void saysWhatToAddWhenThereIsNoTable() {
        assertThatThrownBy(() -> rows("nothing", "", 4))
                .isInstanceOf(Probe.CannotProbeException.class)
                .hasMessageContaining("there is no table nothing")
                .hasMessageContaining("by_id: { key: [id], projection: [value] }");
    }

    @Test
    void namesTheIndexesThatThereAre() {
        assertThatThrownBy(() -> rows("films", "by_year", 7))
                .isInstanceOf(Probe.CannotProbeException.class)
                .hasMessageContaining("[by_actor, new_ones]");
    }

    private static CanaryRows rows(String table, String index, int partitions) throws Exception {
        TableDefinition found = CanaryRows.table(answer(), table);
        return CanaryRows.choose(found, CanaryRows.index(found, index), partitions, "run");
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
