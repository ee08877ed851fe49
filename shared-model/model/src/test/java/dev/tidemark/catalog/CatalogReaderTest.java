package dev.tidemark.catalog;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.tidemark.index.Condition;
import dev.tidemark.index.Condition.Operator;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowJson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CatalogReaderTest {

    @Test
    void readsEveryProjection() throws Exception {
        TableDefinition customers = table("""
                tables:
                  customers:
                    primaryKey: customerId
                    partitions: 8
                    indexes:
                      by_town:           { key: [town], projection: all }
                      by_last_name:      { key: [lastName], projection: keys_only }
                      by_town_last_name: { key: [town, lastName], projection: [firstName, home.phone] }
                """);

        assertThat(customers.name()).isEqualTo("customers");
        assertThat(customers.primaryKey()).containsExactly(FieldPath.parse("customerId"));
        assertThat(customers.partitions()).isEqualTo(8);
        assertThat(customers.indexes())
                .extracting(IndexDefinition::name)
                .containsExactly("by_town", "by_last_name", "by_town_last_name");
        assertThat(customers.indexes())
                .extracting(IndexDefinition::projection)
                .containsExactly(
                        new Projection.All(),
                        new Projection.KeysOnly(),
                        new Projection.Fields(List.of(FieldPath.parse("firstName"), FieldPath.parse("home.phone"))));
        assertThat(customers.indexes().get(2).key()).containsExactly(KeyPart.of("town"), KeyPart.of("lastName"));
    }

    @Test
    void fillsInWhatIsLeftOut() throws Exception {
        TableDefinition table =
                table("tables: {t: {primaryKey: [a, b.c], indexes: {i: {key: [x]}}}, u: {primaryKey: a}}");

        assertThat(table.primaryKey()).containsExactly(FieldPath.parse("a"), FieldPath.parse("b.c"));
        assertThat(table.partitions()).isEqualTo(4);
        assertThat(table.indexes())
                .containsExactly(new IndexDefinition(
                        "t", "i", List.of(KeyPart.of("x")), new Projection.KeysOnly(), RowFilter.NONE));
    }

    @Test
    void readsEveryCharacterFromJson() throws Exception {
        for (int first = 0; first <= Character.MAX_VALUE; first += 4_096) {
            List<Condition> conditions = new ArrayList<>();
            for (char character = (char) first; conditions.size() < 4_096; character++) {
                // Half a pair is no character.
                String text = Character.isSurrogate(character) ? "half" + (int) character : "a" + character + "z";
                conditions.add(
                        new Condition(FieldPath.parse(text), Operator.EQ, List.of(new FieldValue.Text(" " + text))));
            }
            IndexDefinition index = new IndexDefinition(
                    "t", "i", List.of(KeyPart.of("k")), new Projection.KeysOnly(), new RowFilter(conditions));
            TableDefinition table =
                    new TableDefinition("t", List.of(FieldPath.parse("id")), 4, List.of(index), Optional.empty());
            ObjectNode json = DefinitionJson.of(new Catalog(List.of(table)));

            assertThat(CatalogReader.read("c", json).tables()).containsExactly(table);
            assertThat(CatalogReader.readJson("c", RowJson.write(json)).tables())
                    .as("characters from %x", first)
                    .containsExactly(table);
        }
    }

    @Test
    @Timeout(60)
    void readsLongLists() throws Exception {
        String values = IntStream.range(0, 100_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        IndexDefinition in = index("{key: [a], where: {x: {in: [" + values + "]}}}");
        assertThat(in.where().conditions().get(0).operands())
                .hasSize(100_000)
                .startsWith(FieldValue.Num.of(0), FieldValue.Num.of(1))
                .endsWith(FieldValue.Num.of(99_999));

        String fields = IntStream.range(0, 100_000).mapToObj(i -> "f.f" + i).collect(Collectors.joining(","));
        IndexDefinition projected = index("{key: [a], projection: [" + fields + "]}");
        assertThat(projected.projection())
                .isInstanceOfSatisfying(
                        Projection.Fields.class,
                        found -> assertThat(found.paths()).hasSize(100_000));
    }

    @Test
    void problemsOfJsonHaveNoPlace() {
        assertThatThrownBy(() -> CatalogReader.readJson("c", "{\"tables\":7}".getBytes(UTF_8)))
                .hasMessage("c: found the number 7; expected a mapping from table names to tables");
        for (String text : List.of("tables: {t: {primaryKey: id}}", "{\"tables\":{},\"tables\":{}}", "[]", "")) {
            assertThatThrownBy(() -> CatalogReader.readJson("c", text.getBytes(UTF_8)))
                    .isInstanceOf(CatalogException.class)
                    .hasMessageStartingWith("c: expected");
        }
        byte[] large = ("{\"tables\":{\"t\":\"" + "x".repeat(CatalogReader.MAX_SIZE) + "\"}}").getBytes(UTF_8);
        assertThatThrownBy(() -> CatalogReader.readJson("c", large)).hasMessageMatching("c: found \\d+ bytes; .*");
    }

    @Test
    void readsKeyPartsWithDirectionAndEach() throws Exception {
        IndexDefinition index = index(
                "{key: [{field: genres, each: true}, {field: made.year, order: desc}, {field: title, order: asc}]}");

        assertThat(index.key())
                .containsExactly(
                        new KeyPart(FieldPath.parse("genres"), Order.ASC, true),
                        new KeyPart(FieldPath.parse("made.year"), Order.DESC, false),
                        KeyPart.of("title"));
    }

    @Test
    void readsEveryOperator() throws Exception {
        IndexDefinition index = index("""
                {key: [a], where: {s: "42", n: 42, b: true, d: 2020-01-01,
                  e: {eq: x}, f: {ne: -1.50}, g: {in: [1, a, false]}, h: {not_in: [x]},
                  i: {gt: 1e3, lte: 12345678901234567890.5}, j.k: {gte: a, lt: b}, l: {exists: true}, m: {exists: false}}}
                """);

        assertThat(index.where().conditions())
                .containsExactlyInAnyOrder(
                        condition("s", Operator.EQ, new FieldValue.Text("42")),
                        condition("n", Operator.EQ, FieldValue.Num.of(42)),
                        condition("b", Operator.EQ, new FieldValue.Bool(true)),
                        condition("d", Operator.EQ, new FieldValue.Text("2020-01-01")),
                        condition("e", Operator.EQ, new FieldValue.Text("x")),
                        condition("f", Operator.NE, number("-1.5")),
                        condition("g", Operator.IN, number("1"), new FieldValue.Text("a"), new FieldValue.Bool(false)),
                        condition("h", Operator.NOT_IN, new FieldValue.Text("x")),
                        condition("i", Operator.GT, number("1000")),
                        condition("i", Operator.LTE, number("12345678901234567890.5")),
                        condition("j.k", Operator.GTE, new FieldValue.Text("a")),
                        condition("j.k", Operator.LT, new FieldValue.Text("b")),
                        condition("l", Operator.EXISTS),
                        condition("m", Operator.ABSENT));
    }

    @Test
    void acceptsAliases() throws Exception {
        Catalog catalog = CatalogReader.read("c", "tables: {a: &t {primaryKey: id}, b: *t}");

        assertThat(catalog.tables()).extracting(TableDefinition::name).containsExactly("a", "b");
    }

    @Test
    void reportsAllProblemsAtOnceInTheOrderOfTheFile() {
        assertThatThrownBy(() -> CatalogReader.read("catalog.yaml", """
                        tables:
                          Customers:
                            partitions: 0
                            indexes:
                              by_town:
                                key: [town, town]
                                projecton: all
                          movies:
                            primaryKey: id
                        """))
                .isInstanceOfSatisfying(
                        CatalogException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "catalog.yaml:2:3: bad name \"Customers\"; expected a name that matches"
                                                + " ^[a-z][a-z0-9_]{0,62}$",
                                        "catalog.yaml:3:5: missing key \"primaryKey\" of table Customers; expected a field or a"
                                                + " list of fields",
                                        "catalog.yaml:3:17: found the number 0; expected 1 to 1024 partitions",
                                        "catalog.yaml:6:21: field town is there already; expected each field once",
                                        "catalog.yaml:7:9: unknown key \"projecton\"; expected one of key, projection, where, scope, partitions, salt"));
    }

    @Test
    void readsHowAGlobalIndexIsPartitioned() throws Exception {
        assertThat(index("{key: [a], scope: global, partitions: 8, salt: 8}").salt())
                .isEqualTo(8);
        assertThat(index("{key: [a], scope: global, salt: 4}").partitions()).isEqualTo(4);
        assertThat(index("{key: [a], scope: global}").salt()).isEqualTo(1);
        assertThat(index("{key: [a]}").salt()).isEqualTo(1);
    }

    @Test
    void refusesASaltThatAnIndexCannotHave() {
        assertRefused("{key: [a], scope: global, salt: 0}", "found the number 0; expected 1 to 4 partitions as salt");
        assertRefused("{key: [a], scope: global, salt: 1.5}", "expected 1 to 4 partitions as salt");
        assertRefused("{key: [a], scope: global, salt: many}", "expected 1 to 4 partitions as salt");
        assertRefused(
                "{key: [a], scope: global, partitions: 8, salt: 9}",
                "c:1:90: found the number 9; expected 1 to 8 partitions as salt");
        assertRefused("{key: [a], scope: global, partitions: 0, salt: 9}", "expected 1 to 1024 partitions");
        assertRefused("{key: [a], salt: 2}", "found salt of a local index; expected salt with scope: global only");
        assertRefused(
                "{key: [a], scope: local, partitions: 2}",
                "found partitions of a local index; expected partitions with scope: global only");
    }

    private static void assertRefused(String index, String problem) {
        assertThatThrownBy(() -> CatalogReader.read("c", "tables: {t: {primaryKey: id, indexes: {i: " + index + "}}}"))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining(problem);
    }

    private static TableDefinition table(String yaml) throws CatalogException {
        return CatalogReader.read("catalog.yaml", yaml).tables().get(0);
    }

    private static IndexDefinition index(String yaml) throws CatalogException {
        return table("tables: {t: {primaryKey: id, indexes: {i: " + yaml.strip() + "}}}")
                .indexes()
                .get(0);
    }

    private static Condition condition(String field, Operator operator, FieldValue... operands) {
        return new Condition(FieldPath.parse(field), operator, List.of(operands));
    }

    private static FieldValue number(String text) {
        return new FieldValue.Num(new BigDecimal(text));
    }
}
