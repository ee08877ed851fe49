package dev.tidemark.deploy.bench.apply;

import java.util.List;

import dev.tidemark.deploy.bench.IndexShape;

/** Catalogs with several indexes over the customers. */
public final class IndexCatalog {
    /** How many there can be, from 1. */
    public static final int MOST = 8;

    private static final List<String> KEYS = List.of(
            "town, lastName",
            "lastName, town",
            "phone, town",
            "street, lastName",
            "firstName, phone",
            "change, town",
            "town, street",
            "active, phone");

    private IndexCatalog() {}

    /**
     * Returns the text of a catalog with a number of indexes of one shape; the first is that of the other benchmarks.
     */
    static String of(IndexShape shape, int indexes) {
        StringBuilder yaml = new StringBuilder("""
                tables:
                  customers:
                    primaryKey: customerId
                    partitions: 4
                    indexes:
                """);
        for (int i = 0; i < indexes; i++) {
            String name = i == 0 ? "by_town_last_name" : "by_key_" + i;
            yaml.append("      ").append(name).append(": { key: [").append(KEYS.get(i));
            yaml.append("], projection: ").append(shape.projection()).append(" }\n");
        }
        return yaml.toString();
    }
}
