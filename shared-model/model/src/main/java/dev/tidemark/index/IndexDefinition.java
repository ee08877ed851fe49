package dev.tidemark.index;

import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

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
 * @param salt over how many of its partitions a global index spreads the entries with one first key part, by the hash
 *     of their primary keys; 1 for a local index
 */
public record IndexDefinition(
        String table,
        String name,
        List<KeyPart> key,
        Projection projection,
        RowFilter where,
        int partitions,
        int salt) {

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
        this(table, name, key, projection, where, 0, 1);
    }

    /** The same index of another table. */
    public IndexDefinition of(String other) {
        return new IndexDefinition(other, name, key, projection, where, partitions, salt);
    }

    /** Whether it is partitioned by its own key. */
    public boolean isGlobal() {
        return partitions > 0;
    }

    /**
     * The partition of a global index that has an entry: CRC-32C of its first key part, encoded as if it was ascending,
     * plus CRC-32C of its primary key modulo the salt, modulo the number of partitions.
     *
     * @param entryKey a whole entry key of the index, which ends with the primary key
     */
    public int partitionOf(KeyBytes entryKey) {
        try {
            int unsalted = unsalted(firstPart(entryKey));
            if (salt == 1) {
                return unsalted;
            }
            KeyReader reader = new KeyReader(entryKey);
            for (KeyPart part : key) {
                reader.skip(part.order());
            }
            return salted(unsalted, reader.rest());
        } catch (MalformedKeyException e) {
            throw new IllegalArgumentException(
                    "Expected a key of index " + qualifiedName() + ", but got " + entryKey, e);
        }
    }

    /** The same for an entry of a row, whose first key part is a value. */
    public int partitionOf(FieldValue first, KeyBytes primaryKey) {
        return salted(new KeyWriter().append(first, Order.ASC).toKey().partition(partitions), primaryKey);
    }

    /**
     * The partitions of a global index that have the entries with one first key part, as many as its salt.
     *
     * @param first as {@link #firstPart} gives it
     */
    public SortedSet<Integer> partitionsOf(KeyBytes first) {
        int unsalted = unsalted(first);
        SortedSet<Integer> all = new TreeSet<>();
        for (int step = 0; step < salt; step++) {
            all.add((unsalted + step) % partitions);
        }
        return all;
    }

    /**
     * The first part of a key of the index, as it is encoded there.
     *
     * @param start the beginning of a key
     * @throws MalformedKeyException when it does not have the whole part
     */
    public KeyBytes firstPart(KeyBytes start) throws MalformedKeyException {
        KeyReader reader = new KeyReader(start);
        reader.skip(key.get(0).order());
        return KeyBytes.wrap(Arrays.copyOf(start.array(), reader.position()));
    }

    private int unsalted(KeyBytes first) {
        byte[] ascending = first.array().clone();
        for (int i = 0; key.get(0).order() == Order.DESC && i < ascending.length; i++) {
            ascending[i] = (byte) ~ascending[i];
        }
        return KeyBytes.wrap(ascending).partition(partitions);
    }

    private int salted(int unsalted, KeyBytes primaryKey) {
        return (unsalted + primaryKey.partition(salt)) % partitions;
    }

    /** The name that is unique among all tables: {@code table.name}. */
    public String qualifiedName() {
        return table + "." + name;
    }
}
