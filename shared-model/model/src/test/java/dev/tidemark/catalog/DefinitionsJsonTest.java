package dev.tidemark.catalog;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DefinitionsJsonTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void writesTheCatalogShapeWithGenerations() throws Exception {
        Definitions definitions = Definitions.first(catalog("{key: [town]}"), NOON)
                .changed(catalog("{key: [town], projection: [name]}"), NOON.plusMillis(5));

        assertThat(text(definitions))
                .isEqualTo(
                        "{\"format\":1,\"version\":2,\"at\":\"2026-01-01T12:00:00.005Z\",\"nextGeneration\":3,\"tables\":{"
                                + "\"people\":{\"primaryKey\":[\"id\"],\"partitions\":4,\"indexes\":{\"by_town\":{"
                                + "\"key\":[\"town\"],\"projection\":[\"name\"],\"where\":{},\"generation\":2,\"paused\":false,"
                                + "\"previous\":{\"key\":[\"town\"],\"projection\":\"keys_only\",\"where\":{},"
                                + "\"generation\":1}}}}}}");
    }

    @Test
    void readsBackWhatYamlWouldNotTakeAsItIs() throws Exception {
        String operands =
                "{in: [\"\\x7f\", \"\\u2028\\uFEFF\\0\", \"\\U0001F600\", 1e400, -0.0, 12345678901234567890.5, '']}";
        Definitions definitions = Definitions.first(
                catalog("{key: [{field: \"a: b\", order: desc}], where: {\"x\\n\": " + operands + "}}"), NOON);

        assertThat(text(read(text(definitions)))).isEqualTo(text(definitions)).contains("1E+400");
    }

    @Test
    void readsBackNamesThatWouldBeTooLongForYaml() throws Exception {
        String name = "é\"".repeat(300);
        String quoted = TextNode.valueOf(name).toString();
        Definitions definitions = Definitions.first(
                catalog("{key: [{field: " + quoted + "}], where: {" + "? " + quoted + " : a}}"), NOON);

        assertThat(read(text(definitions))).isEqualTo(definitions);
    }

    @Test
    void refusesDefinitionsOfMoreThanACatalogMayHave() throws Exception {
        String good = text(Definitions.first(catalog("{key: [town]}"), NOON));
        String large = good.replace("[\"town\"]", "[\"" + "t".repeat(CatalogReader.MAX_SIZE) + "\"]");

        assertThatThrownBy(() -> read(large))
                .isInstanceOf(BadDefinitionsException.class)
                .hasMessageContaining("expected at most 1048576");
    }

    @Test
    void refusesBytesThatAreNoDefinitions() throws Exception {
        String good = text(Definitions.first(catalog("{key: [town]}"), NOON));

        assertThat(read(good).version()).isEqualTo(1);
        assertThatThrownBy(() -> read("[]")).isInstanceOf(BadDefinitionsException.class);
        assertThatThrownBy(() -> read("{")).isInstanceOf(BadDefinitionsException.class);
        assertThatThrownBy(() -> read("{}")).isInstanceOf(BadDefinitionsException.class);
        assertThatThrownBy(() -> read(good.replace("\"version\":1", "\"version\":1.5")))
                .hasMessageContaining("expected a whole number as version, but got 1.5");
        assertThatThrownBy(() -> read(good.replace("\"version\":1", "\"version\":0")))
                .isInstanceOf(BadDefinitionsException.class);
        assertThatThrownBy(() -> read(good.replace("2026-", "today-"))).isInstanceOf(BadDefinitionsException.class);
        assertThatThrownBy(() -> read(good.replace("keys_only", "some"))).isInstanceOf(BadDefinitionsException.class);
        assertThatThrownBy(() -> read(good.replace("\"nextGeneration\":2", "\"nextGeneration\":1")))
                .isInstanceOf(BadDefinitionsException.class);
    }

    @Test
    void readsDefinitionsWithoutAFormatAsThoseOfFormatOneAndRefusesANewerFormat() throws Exception {
        Definitions definitions = Definitions.first(catalog("{key: [town]}"), NOON);
        String good = text(definitions);

        assertThat(read(good.replace("\"format\":1,", ""))).isEqualTo(definitions);
        assertThatThrownBy(() -> read(good.replace("\"format\":1", "\"format\":9")))
                .isInstanceOf(BadDefinitionsException.class)
                .hasMessage(
                        "expected definitions of format 1 to 4, but these have format 9: a newer version of Tidemark"
                                + " wrote them. Run that version");
    }

    @Test
    void aTableThatFollowsASourceIsOfAnotherFormatAndComesBack() throws Exception {
        Catalog plain = catalog("{key: [town]}");
        TableDefinition table = plain.tables().get(0);
        TableDefinition following = new TableDefinition(
                table.name(),
                table.primaryKey(),
                table.partitions(),
                table.indexes(),
                Optional.of(new RowSource("shop", "public.\u00e9 'x'".replace(" ", "_"))));
        Definitions definitions = Definitions.first(plain, NOON).changed(new Catalog(List.of(following)), NOON);

        assertThat(read(text(definitions))).isEqualTo(definitions);
        assertThat(text(definitions)).contains("\"format\":2").contains("\"sourceSince\":2");
        assertThat(definitions.changed(new Catalog(List.of(following)), NOON)).isSameAs(definitions);
        assertThat(text(definitions.changed(plain, NOON))).contains("\"format\":1");
    }

    @Test
    void aSaltIsOfAnotherFormatAsLongAsAGenerationHasIt() throws Exception {
        Definitions plain = Definitions.first(catalog("{key: [town], scope: global, partitions: 8}"), NOON);
        Definitions salted =
                plain.changed(catalog("{key: [town], scope: global, partitions: 8, salt: 3}"), NOON.plusMillis(5));
        Definitions back = salted.changed(catalog("{key: [town], scope: global, partitions: 8, salt: 1}"), NOON);

        assertThat(text(plain)).contains("\"format\":3").doesNotContain("salt");
        assertThat(text(salted)).contains("\"format\":4").contains("\"partitions\":8,\"salt\":3,\"generation\":2");
        assertThat(read(text(salted))).isEqualTo(salted);
        assertThat(back.generations("people")).extracting(Generation::id).containsExactly(1L, 2L);
        assertThat(text(back)).as("the previous one has it").contains("\"format\":4");
        assertThat(read(text(back))).isEqualTo(back);
    }

    private static String text(Definitions definitions) {
        return new String(DefinitionsJson.write(definitions), StandardCharsets.UTF_8);
    }

    private static Definitions read(String json) throws BadDefinitionsException {
        return DefinitionsJson.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Catalog catalog(String index) throws CatalogException {
        return CatalogReader.read("c", "tables: {people: {primaryKey: id, indexes: {by_town: " + index + "}}}");
    }
}
