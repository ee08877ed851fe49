package dev.tidemark.worker.testkit;

import java.util.List;
import java.util.function.Supplier;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.catalog.BareNames;
import dev.tidemark.worker.query.IndexNames;

/** Tables for tests. */
public final class Tables {
    private static final String CATALOG = """
            tables:
              films:
                primaryKey: id
                partitions: 1
                indexes:
                  by_actor: { key: [{field: cast, each: true}], projection: [title] }
                  by_year:  { key: [{field: year, order: desc}, title], projection: keys_only }
                  whole:    { key: [title], projection: all }
              people:
                primaryKey: id
                partitions: 4
                indexes:
                  by_town: { key: [town, name], projection: keys_only }
                  whole:   { key: [name], projection: all }
            """;

    private Tables() {}

    /** Films in one partition, and people in four. */
    public static Catalog catalog() {
        return catalog(CATALOG);
    }

    /** A catalog from YAML. */
    public static Catalog catalog(String yaml) {
        try {
            return CatalogReader.read("test", yaml);
        } catch (CatalogException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A catalog in force for the first time. */
    public static Supplier<Definitions> inForce(Catalog catalog) {
        Definitions first = Definitions.first(catalog, ChangeLog.START);
        return () -> first;
    }

    /** Finds indexes by names that have always meant what they mean in the definitions. */
    public static IndexNames names(Supplier<Definitions> definitions) {
        return new IndexNames(
                definitions, () -> BareNames.NONE.with(definitions.get().catalog()));
    }

    /** The table of films. */
    public static TableDefinition films() {
        return catalog().tables().get(0);
    }

    /** The table of people. */
    public static TableDefinition people() {
        return catalog().tables().get(1);
    }

    /** Definitions with one table, whose indexes are numbered from 1 in their order. */
    public static DesiredTable plan(TableDefinition table) {
        return Definitions.first(new Catalog(List.of(table)), ChangeLog.START)
                .tables()
                .get(0);
    }

    /** The generations of that plan. */
    public static List<Generation> generations(TableDefinition table) {
        return plan(table).generations();
    }
}
