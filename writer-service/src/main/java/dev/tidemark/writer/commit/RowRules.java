package dev.tidemark.writer.commit;

import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;
import dev.tidemark.writer.commit.RowRefusedException.Kind;

/**
 * The rules that a row must meet to enter one table. They refuse a row that an index cannot hold, because in the outbox
 * it would block every change behind it.
 */
public final class RowRules {
    private final TableDefinition table;
    private final int maxRowBytes;
    private final List<EntryDeriver> derivers;
    private final RowFields fields;

    /**
     * The rules of a table.
     *
     * @param maxRowBytes most bytes of a row as compact JSON
     */
    public RowRules(TableDefinition table, int maxRowBytes) {
        this.table = table;
        this.maxRowBytes = maxRowBytes;
        this.derivers = table.indexes().stream().map(EntryDeriver::new).toList();
        this.fields = EntryDeriver.fields(derivers);
    }

    public TableDefinition table() {
        return table;
    }

    public int maxRowBytes() {
        return maxRowBytes;
    }

    /**
     * The key of a row.
     *
     * @throws RowRefusedException when the row has no usable key
     */
    public KeyBytes keyOf(ObjectNode row) throws RowRefusedException {
        try {
            return table.keyOf(row);
        } catch (BadKeyException e) {
            throw new RowRefusedException(e);
        }
    }

    /**
     * The row in the form in which it is kept: compact bytes, without the tree.
     *
     * @param key the key under which the row is to stand
     * @param row as {@code RowJson} reads it, and so within its limits and valid Unicode
     * @throws RowRefusedException when the row cannot enter the table
     */
    public RowDocument accept(KeyBytes key, ObjectNode row) throws RowRefusedException {
        return RowDocument.stored(accepted(key, row).bytes());
    }

    /**
     * The same for a row that is written alone, with what the indexes look at where that is little: the digests are
     * made of it when the row is committed. Not for loads, of which many rows wait at a time.
     *
     * @throws RowRefusedException as {@link #accept}
     */
    public RowDocument acceptAlone(KeyBytes key, ObjectNode row) throws RowRefusedException {
        return fields.keptOf(accepted(key, row));
    }

    private RowDocument accepted(KeyBytes key, ObjectNode row) throws RowRefusedException {
        KeyBytes own = keyOf(row);
        if (!own.equals(key)) {
            throw new RowRefusedException(
                    Kind.INVALID,
                    "expected the row to have the key it is written under, " + shown(key) + ", but its own is "
                            + shown(own));
        }
        RowDocument document = RowDocument.of(row);
        int size = document.bytes().length;
        if (size > maxRowBytes) {
            throw new RowRefusedException(
                    Kind.TOO_LARGE, "expected a row of at most " + maxRowBytes + " bytes, but it has " + size);
        }
        try {
            for (EntryDeriver deriver : derivers) {
                deriver.requireIndexable(key, document);
            }
        } catch (UnindexableRowException e) {
            throw new RowRefusedException(Kind.UNINDEXABLE, e.getMessage());
        }
        return document;
    }

    private String shown(KeyBytes key) {
        try {
            return table.keyToJson(key).toString();
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected a key of table " + table.name(), e);
        }
    }
}
