package dev.tidemark.writer.commit;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.row.BadInputException;

/** A row that its table, or one of its indexes, cannot take. The message is fit for the sender. */
public final class RowRefusedException extends BadInputException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** What is wrong with the row. */
    public enum Kind {
        /** It is not a row of the table: no usable key, or another key. */
        INVALID,
        /** It has too many bytes. */
        TOO_LARGE,
        /** It has too many values, names and brackets. */
        TOO_MANY_VALUES,
        /** An index cannot hold it. */
        UNINDEXABLE,
        /** The row that is there lacks a member that is to be kept. */
        NOTHING_TO_KEEP
    }

    public RowRefusedException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** A row whose key is none, for the reason that the key's table gave. */
    RowRefusedException(BadKeyException reason) {
        super(reason.getMessage(), reason.limit().orElse(null));
        this.kind = Kind.INVALID;
    }

    public Kind kind() {
        return kind;
    }
}
