package dev.tidemark.index;

import java.util.List;

/**
 * One index table.
 *
 * @param table the fact table it follows
 * @param name unique within the table
 * @param key the parts of its key, most significant first; at least one, at most one with {@code each}
 * @param projection what an entry carries of its row
 * @param where which rows it holds
 */
public record IndexDefinition(String table, String name, List<KeyPart> key, Projection projection, RowFilter where) {

    public IndexDefinition {
        key = List.copyOf(key);
        if (key.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one key part for index " + name + ", but got none");
        }
        if (key.stream().filter(KeyPart::each).count() > 1) {
            throw new IllegalArgumentException("Expected at most one part with each in index " + name + ", but got "
                    + key.stream().filter(KeyPart::each).count());
        }
    }

    /** The name that is unique among all tables: {@code table.name}. */
    public String qualifiedName() {
        return table + "." + name;
    }
}
