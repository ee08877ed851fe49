package dev.tidemark.deploy.drill;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;

/** The tables of a drill: with every kind of key, condition and projection, and one for the prober. */
public final class DrillTables {
    static final String ORDERS = "orders";
    static final String PEOPLE = "people";

    /** Those that the clients write to. */
    public static final List<String> WRITTEN = List.of(ORDERS, PEOPLE);

    private static final List<String> PROJECTIONS = List.of(
            "all",
            "[customer], scope: global, partitions: 3",
            "keys_only",
            "[customer, amount], scope: global, partitions: 2");

    /** What the partitions of a table become in turn. */
    private static final List<Integer> LAYOUTS = List.of(4, 16, 6);

    /** Catalogs of one layout, so that indexes change in each. */
    private static final int CATALOGS_A_LAYOUT = 4;

    private static final String TEXT = """
            tables:
              orders:
                primaryKey: [region, number]
                partitions: %d
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

    private static final Map<String, List<TableDefinition>> LAID_OUT =
            Map.of(ORDERS, inEachLayout(ORDERS), PEOPLE, inEachLayout(PEOPLE));

    /** {@link #WRITTEN}, as in {@link #table(String)}. */
    static final List<TableDefinition> TABLES =
            WRITTEN.stream().map(DrillTables::table).toList();

    /** The one of them whose topic gets bad records; its primary key is a text. */
    static final TableDefinition TAMPERED = table(PEOPLE);

    private DrillTables() {}

    /**
     * A catalog file; those of two successive numbers differ in a projection and the scope of an index, every third
     * lacks an index, and a table grows and shrinks.
     *
     * @param number from 0
     */
    public static String catalog(int number) {
        return TEXT.formatted(
                LAYOUTS.get(number / CATALOGS_A_LAYOUT % LAYOUTS.size()),
                PROJECTIONS.get(number % PROJECTIONS.size()),
                number % 3 == 2 ? "" : EXTRA);
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
        return layouts(name).get(0);
    }

    /** A table with each number of partitions that it has in turn. */
    static List<TableDefinition> layouts(String name) {
        return Objects.requireNonNull(LAID_OUT.get(name));
    }

    private static List<TableDefinition> inEachLayout(String name) {
        return IntStream.range(0, LAYOUTS.size())
                .mapToObj(layout -> table(catalog(layout * CATALOGS_A_LAYOUT), name))
                .toList();
    }

    /** An index of a table whose definition stays. */
    static IndexDefinition anyStable(String table, Random random) {
        List<IndexDefinition> stable = table(table).indexes().stream()
                .filter(index -> !CHANGING.contains(index.name()))
                .toList();
        return stable.get(random.nextInt(stable.size()));
    }

    /** One of the people with an entry in each of their indexes, in a town that no client asks for. */
    public static ObjectNode victim(String key, String town) {
        return RowJson.mapper()
                .createObjectNode()
                .put("personId", key)
                .put("name", "victim")
                .put("town", town)
                .put("active", true);
    }

    /** The field by which an index is asked. */
    static String asked(IndexDefinition index) {
        return index.key().get(0).field().toString();
    }

    /** Invents keys, rows and changes; half of all values are the same one. For one thread. */
    static final class RowGenerator {
        static final List<String> WORDS = List.of("acme", "Nguyễn", "O'Neill", "a b", "zz", "\"q\"");
        private static final List<String> STATES = List.of("open", "held", "done");
        private static final int KEYS = 60;
        private static final int HOT_KEYS = 3;
        private static final List<String> REGIONS = List.of("north", "south");

        private final String client;
        private final Random random;

        RowGenerator(String client, Random random) {
            this.client = client;
            this.random = random;
        }

        String table() {
            return random.nextInt(3) > 0 ? DrillTables.ORDERS : DrillTables.PEOPLE;
        }

        /** One of the client's own keys; a few of them more often than all others together. */
        ExpectedState.RowKey key(String table) {
            int number = random.nextInt(random.nextInt(5) < 2 ? HOT_KEYS : KEYS);
            String name = client + "-" + number;
            return table.equals(DrillTables.ORDERS)
                    ? new ExpectedState.RowKey(List.of(REGIONS.get(number % REGIONS.size()), name))
                    : new ExpectedState.RowKey(List.of(name));
        }

        ObjectNode row(String table, ExpectedState.RowKey key) {
            ObjectNode row = RowJson.mapper().createObjectNode();
            if (table.equals(DrillTables.ORDERS)) {
                row.put("region", key.parts().get(0)).put("number", key.parts().get(1));
            } else {
                row.put("personId", key.parts().get(0));
            }
            setSome(table, row);
            return row;
        }

        /** A merge patch that changes some fields, and takes some away. */
        ObjectNode patch(String table) {
            ObjectNode all = RowJson.mapper().createObjectNode();
            setSome(table, all);
            ObjectNode patch = RowJson.mapper().createObjectNode();
            all.properties().forEach(field -> {
                int dice = random.nextInt(8);
                if (dice == 0) {
                    patch.putNull(field.getKey());
                } else if (dice < 4) {
                    patch.set(field.getKey(), field.getValue());
                }
            });
            patch.put("change", random.nextLong());
            return patch;
        }

        /** What to ask an index for. */
        static String anyValue(IndexDefinition index, Random random) {
            List<String> values = DrillTables.asked(index).equals("status") ? STATES : WORDS;
            return values.get(random.nextInt(values.size()));
        }

        private void setSome(String table, ObjectNode row) {
            row.put("change", random.nextLong());
            if (table.equals(DrillTables.PEOPLE)) {
                row.put("name", word()).put("active", random.nextInt(4) > 0);
                if (random.nextInt(6) > 0) {
                    row.put("town", word());
                }
                return;
            }
            row.put("customer", word()).put("status", STATES.get(random.nextInt(STATES.size())));
            if (random.nextInt(6) > 0) {
                row.put("amount", random.nextBoolean() ? random.nextInt(40) - 20 : random.nextInt(40) / 4.0);
            }
            ArrayNode tags = row.putArray("tags");
            for (int count = random.nextInt(5); count > 0; count--) {
                tags.add(word());
            }
            if (random.nextInt(4) > 0) {
                row.putObject("address").put("city", word()).put("zip", random.nextInt(99_999));
            }
        }

        private String word() {
            return WORDS.get(random.nextBoolean() ? 0 : random.nextInt(WORDS.size()));
        }
    }
}
