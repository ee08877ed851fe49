package dev.tidemark.row;

import java.util.Objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Counts how often the entries of rows are derived: how often the text of one field becomes a part of a key. An index
 * must have that field once, as a part of its key.
 */
public final class DerivationCounter {
    private final String field;
    private int derivations;

    /** A text that says when it is used. */
    private static final class CountedText extends TextNode {
        private static final long serialVersionUID = 1L;

        private final transient Runnable use;

        CountedText(String text, Runnable use) {
            super(text);
            this.use = use;
        }

        @Override
        public String textValue() {
            use.run();
            return super.textValue();
        }
    }

    public DerivationCounter(String field) {
        this.field = field;
    }

    public int derivations() {
        return derivations;
    }

    /** A row whose derivations from this tree are counted. */
    public ObjectNode counted(ObjectNode row) {
        ObjectNode counted = row.deepCopy();
        counted.set(
                field, new CountedText(Objects.requireNonNull(row.get(field)).textValue(), () -> derivations++));
        return counted;
    }

    /**
     * A row of which some fields were read on the way, and whose derivations from those are counted. Nothing else can
     * be read of it.
     */
    public RowDocument read(ObjectNode row, RowFields fields) {
        return RowDocument.read(new byte[0], fields, counted(row));
    }
}
