package dev.tidemark.catalog;

import org.junit.jupiter.api.Test;

import dev.tidemark.index.IndexDefinition;

import static org.assertj.core.api.Assertions.assertThat;

class DefinitionTextTest {

    @Test
    void writesAnIndexInTheShapeOfTheCatalog() throws Exception {
        String yaml =
                "{key: [{field: cast, each: true}, {field: year, order: desc}, made.at], projection: [title, made.at],"
                        + " where: {year: {lt: 3, gte: 1.50}, kind: {in: [b, a, 1]}, old: {exists: false}}}";

        assertThat(DefinitionText.of(index(yaml)))
                .isEqualTo("{\"key\":[{\"field\":\"cast\",\"order\":\"asc\",\"each\":true},"
                        + "{\"field\":\"year\",\"order\":\"desc\",\"each\":false},\"made.at\"],"
                        + "\"projection\":[\"title\",\"made.at\"],"
                        + "\"where\":{\"kind\":{\"in\":[1,\"a\",\"b\"]},\"old\":{\"exists\":false},"
                        + "\"year\":{\"gte\":1.5,\"lt\":3}}}");
    }

    @Test
    void isEqualForDefinitionsThatMeanTheSame() throws Exception {
        String one = "{key: [a, {field: b, order: asc}], projection: keys_only, where: {c: 1.0, d: {in: [x, y]}}}";
        String other = "{where: {d: {in: [y, x]}, c: {eq: 1}}, key: [{field: a, each: false}, b]}";

        assertThat(DefinitionText.of(index(one))).isEqualTo(DefinitionText.of(index(other)));
    }

    @Test
    void differsForDefinitionsThatMeanSomethingElse() throws Exception {
        assertThat(DefinitionText.of(index("{key: [a], where: {c: 1}}")))
                .isNotEqualTo(DefinitionText.of(index("{key: [a], where: {c: \"1\"}}")))
                .isNotEqualTo(DefinitionText.of(index("{key: [{field: a, order: desc}], where: {c: 1}}")))
                .isNotEqualTo(DefinitionText.of(index("{key: [a], projection: all, where: {c: 1}}")));
    }

    @Test
    void writesASaltOnlyWhereItIsNotOne() throws Exception {
        assertThat(DefinitionText.of(index("{key: [a], scope: global, partitions: 8, salt: 4}")))
                .isEqualTo("{\"key\":[\"a\"],\"projection\":\"keys_only\",\"where\":{},"
                        + "\"scope\":\"global\",\"partitions\":8,\"salt\":4}");
        assertThat(DefinitionText.of(index("{key: [a], scope: global, partitions: 8, salt: 1}")))
                .isEqualTo("{\"key\":[\"a\"],\"projection\":\"keys_only\",\"where\":{},"
                        + "\"scope\":\"global\",\"partitions\":8}");
    }

    @Test
    void writesATableWithItsIndexesByName() throws Exception {
        Catalog catalog = CatalogReader.read(
                "c", "tables: {t: {primaryKey: [a, b], partitions: 2, indexes: {z: {key: [x]}, y: {key: [x]}}}}");

        assertThat(DefinitionJson.of(catalog.tables().get(0)))
                .hasToString("{\"name\":\"t\",\"primaryKey\":[\"a\",\"b\"],\"partitions\":2,\"indexes\":{"
                        + "\"y\":{\"key\":[\"x\"],\"projection\":\"keys_only\",\"where\":{}},"
                        + "\"z\":{\"key\":[\"x\"],\"projection\":\"keys_only\",\"where\":{}}}}");
    }

    private static IndexDefinition index(String yaml) throws CatalogException {
        return CatalogReader.read("c", "tables: {t: {primaryKey: id, indexes: {i: " + yaml + "}}}")
                .indexes()
                .get(0);
    }
}
