package dev.tidemark.index;

import java.util.Arrays;
import java.util.List;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;

/**
 * One index table.
 *
 * @param table the fact table it follows
 * @param name unique within the table
 * @param key the parts of its key, most significant first; at least one, at most one with {@code each}
 * @param projection what an entry carries of its row
 * @param where which rows it holds
 * @param partitions of a global index, which its entries have by the hash of their first key part; 0 for a local index,
 *     which is partitioned with the rows of its table
 */
public record IndexDefinition(
        String table, String name, List<KeyPart> key, Projection projection, RowFilter where, int partitions) {

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

    /** A local index. */
    public IndexDefinition(String table, String name, List<KeyPart> key, Projection projection, RowFilter where) {
        this(table, name, key, projection, where, 0);
    }

    /** The same index of another table. */
    public IndexDefinition of(String other) {
        return new IndexDefinition(other, name, key, projection, where, partitions);
    }

    /** Whether it is partitioned by its own key. */
    public boolean isGlobal() {
        return partitions > 0;
    }

    /**
     * The partition of a global index that has every entry with a first key part: CRC-32C of that part, encoded as if
     * it was ascending, modulo the number of partitions.
     *
     * @param key an entry key of the index, or the beginning of one with at least the first part
     */
    public int partitionOf(KeyBytes key) {
        Order order = this.key.get(0).order();
        try {
            KeyReader reader = new KeyReader(key);
            reader.skip(order);
            byte[] first = Arrays.copyOf(key.array(), reader.position());
            for (int i = 0; order == Order.DESC && i < first.length; i++) {
                first[i] = (byte) ~first[i];
            }
            return KeyBytes.wrap(first).partition(partitions);
        } catch (MalformedKeyException e) {
            throw new IllegalArgumentException("Expected a key of index " + qualifiedName() + ", but got " + key, e);
        }
    }

    /** The partition of a global index that has every entry whose first key part is a value. */
    public int partitionOf(FieldValue first) {
        return new KeyWriter().append(first, Order.ASC).toKey().partition(partitions);
    }

    /** The name that is unique among all tables: {@code table.name}. */
    public String qualifiedName() {
        return table + "." + name;
    }
}
