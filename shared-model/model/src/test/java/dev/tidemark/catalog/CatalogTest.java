package dev.tidemark.catalog;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.index.IndexDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CatalogTest {

    @Test
    void namesAnIndexByItsTableWhereTwoTablesShareTheName() throws Exception {
        Catalog catalog = CatalogReader.read(
                "c",
                "tables: {a: {primaryKey: id, indexes: {x: {key: [k]}, y: {key: [k]}}},"
                        + " b: {primaryKey: id, indexes: {x: {key: [k]}}}}");

        assertThat(catalog.indexes()).extracting(catalog::publicName).containsExactly("a.x", "y", "b.x");
        assertThat(catalog.indexesNamed("x"))
                .extracting(IndexDefinition::qualifiedName)
                .containsExactly("a.x", "b.x");
        assertThat(catalog.indexesNamed("b.x")).hasSize(1);
        assertThat(catalog.indexesNamed("a.y")).hasSize(1);
        assertThat(catalog.indexesNamed("z")).isEmpty();
        assertThat(catalog.table("b")).isPresent();
        assertThat(catalog.table("c")).isEmpty();
    }

    @Test
    void isWrittenAsACatalogFile() throws Exception {
        Catalog catalog = CatalogReader.read(
                "c",
                "tables: {a: {primaryKey: [x, y], partitions: 2, indexes: {z: {key: [k]},"
                        + " b: {key: [k], projection: all, where: {k: {gt: 1}}}}}, c: {primaryKey: id}}");

        Catalog read = CatalogReader.read("written", DefinitionJson.of(catalog).toString());

        assertThat(read.tables()).isEqualTo(catalog.tables());
    }

    @Test
    void refusesATableTwice() throws Exception {
        TableDefinition table = CatalogReader.read("c", "tables: {a: {primaryKey: id}}")
                .tables()
                .get(0);

        assertThatThrownBy(() -> new Catalog(List.of(table, table))).isInstanceOf(IllegalArgumentException.class);
    }
}
