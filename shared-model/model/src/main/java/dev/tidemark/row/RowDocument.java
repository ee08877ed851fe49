package dev.tidemark.row;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A row's JSON as bytes, as a tree, or both; a missing form is made when it is first used. Immutable by agreement: no
 * caller changes the tree or the array that this class returns. Thread-safe; two threads that call it at the same time
 * at worst do the same work twice.
 */
public final class RowDocument {
    private volatile byte @Nullable [] bytes;
    private volatile @Nullable ObjectNode tree;
    private final @Nullable Read read;

    /** Fields that were read on the way, and which were wanted. */
    private record Read(RowFields by, ObjectNode fields) {}

    private RowDocument(byte @Nullable [] bytes, @Nullable ObjectNode tree, @Nullable Read read) {
        this.bytes = bytes;
        this.tree = tree;
        this.read = read;
    }

    public static RowDocument of(ObjectNode tree) {
        return new RowDocument(null, tree, null);
    }

    /**
     * A row from bytes that a user sent.
     *
     * @throws BadJsonException as {@link RowJson#parseObject(byte[])}
     */
    public static RowDocument parse(byte[] json) throws BadJsonException {
        return of(RowJson.parseObject(json));
    }

    /** A row from bytes that {@link #bytes()} gave, which are not looked at before the tree is asked for. */
    public static RowDocument stored(byte[] json) {
        return new RowDocument(json, null, null);
    }

    /** The same, of which some fields have been read already. */
    static RowDocument read(byte[] json, RowFields by, ObjectNode fields) {
        return new RowDocument(json, null, new Read(by, fields));
    }

    /** The fields that were read with the row, maybe with others; null where they were not. */
    @Nullable
    ObjectNode fieldsReadBy(RowFields wanted) {
        return read != null && read.by().hasAll(wanted) ? read.fields() : null;
    }

    /** Compact UTF-8 JSON. */
    public byte[] bytes() {
        byte[] known = bytes;
        if (known == null) {
            known = RowJson.write(tree());
            bytes = known;
        }
        return known;
    }

    /**
     * The row as a tree.
     *
     * @throws UnreadableRowException when stored bytes turn out not to be a row
     */
    public ObjectNode tree() {
        ObjectNode known = tree;
        if (known == null) {
            known = RowJson.parseStored(bytes());
            tree = known;
        }
        return known;
    }

    /** Equal when the JSON is equal, the order of fields aside. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RowDocument that && tree().equals(that.tree());
    }

    @Override
    public int hashCode() {
        return tree().hashCode();
    }

    @Override
    public String toString() {
        return tree().toString();
    }
}
