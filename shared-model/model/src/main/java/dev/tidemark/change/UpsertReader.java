package dev.tidemark.change;

import java.util.Optional;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowFields;

/**
 * Reads rows out of records that {@link ChangeCodec} has read or refused before, in a fraction of the time: nothing is
 * looked at but the kind and the fields that are wanted. For any thread.
 */
public final class UpsertReader {
    private final RowFields fields;

    /** A reader of some fields. */
    public UpsertReader(RowFields fields) {
        this.fields = fields;
    }

    /**
     * The row that a record brings; empty for a record that brings none.
     *
     * @throws MalformedChangeException when the record has no kind, its value is not JSON, or the codec refuses a field
     *     that is wanted
     */
    public Optional<PartialRow> read(WireRecord record) throws MalformedChangeException {
        if (!ChangeCodec.isUpsert(record) || record.value() == null) {
            return Optional.empty();
        }
        try {
            return fields.find(record.value().array(), ChangeCodec.AFTER);
        } catch (BadJsonException e) {
            throw new MalformedChangeException(e.getMessage());
        }
    }
}
