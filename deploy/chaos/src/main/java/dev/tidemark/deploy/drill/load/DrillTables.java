package dev.tidemark.deploy.drill.load;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;

/** The tables of a drill: with every kind of key, condition and projection, and one for the prober. */
public final class DrillTables {
    static final String ORDERS = "orders";
    static final String PEOPLE = "people";

    /** Those that the clients write to. */
    public static final List<String> WRITTEN = List.of(ORDERS, PEOPLE);

    private static final List<String> PROJECTIONS = List.of("all", "[customer]", "keys_only", "[customer, amount]");

    private static final String TEXT = """
            tables:
              orders:
                primaryKey: [region, number]
                partitions: 3
                indexes:
                  by_customer: { key: [customer, { field: amount, order: desc }], projection: all }
                  by_tag: { key: [{ field: tags, each: true }, status], projection: [customer, amount] }
                  open_by_city: { key: [address.city], projection: [address.zip], where: { status: { in: [open, held] } } }
                  by_status: { key: [status], projection: %s }
              people:
                primaryKey: personId
                partitions: 2
                indexes:
                  by_town: { key: [town], projection: keys_only, where: { active: true } }
            %s  large:
                primaryKey: id
                partitions: 1
                indexes:
                  by_kind: { key: [kind], projection: keys_only }
              canary:
                primaryKey: id
                partitions: 2
                indexes:
                  by_id: { key: [id], projection: [value] }
            """;

    private static final String EXTRA =
            "      by_name: { key: [name], projection: [town], where: { town: { exists: true } } }\n";

    /**
     * Those whose definition changes meanwhile: what an answer of theirs carries depends on the generation that gives
     * it.
     */
    private static final Set<String> CHANGING = Set.of("by_status", "by_name");

    private static final Map<String, TableDefinition> FIRST = Map.of(
            ORDERS, table(catalog(0), ORDERS),
            PEOPLE, table(catalog(0), PEOPLE));

    private DrillTables() {}

    /**
     * A catalog file; those of two successive numbers differ in a projection, and every third lacks an index.
     *
     * @param number from 0
     */
    public static String catalog(int number) {
        return TEXT.formatted(PROJECTIONS.get(number % PROJECTIONS.size()), number % 3 == 2 ? "" : EXTRA);
    }

    /** What a catalog file says of a table. */
    public static TableDefinition table(String catalog, String name) {
        try {
            return CatalogReader.read("the drill's catalog", catalog)
                    .table(name)
                    .orElseThrow();
        } catch (CatalogException e) {
            throw new IllegalStateException("Expected a catalog that can be read", e);
        }
    }

    /** A table that the clients write to; of its indexes only the stable ones are always as it says. */
    public static TableDefinition table(String name) {
        return Objects.requireNonNull(FIRST.get(name));
    }

    /** An index of a table whose definition stays. */
    static IndexDefinition anyStable(String table, Random random) {
        List<IndexDefinition> stable = table(table).indexes().stream()
                .filter(index -> !CHANGING.contains(index.name()))
                .toList();
        return stable.get(random.nextInt(stable.size()));
    }

    /** The field by which an index is asked. */
    static String asked(IndexDefinition index) {
        return index.key().get(0).field().toString();
    }
}
