package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.Arrays;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;

/**
 * Names a quarantined record without its value and headers. A name has at most {@value TableDefinition#MAX_KEY_BYTES}
 * bytes of key and {@value #MOST_REASON} characters of reason, for a record of any size.
 *
 * @param key of the record, or its beginning where it is longer than the key of any row
 * @param offset of the record in its partition
 * @param reason what was expected and found, or the beginning of that
 * @param at when the record was quarantined
 */
public record QuarantinedName(KeyBytes key, long offset, String reason, Instant at) {
    /** Characters of a reason, which may quote a header. */
    public static final int MOST_REASON = 400;

    /** The name of a record. */
    public static QuarantinedName of(QuarantinedRecord record) {
        String reason = record.reason();
        return new QuarantinedName(
                begin(record.record().key()),
                record.offset(),
                reason.length() > MOST_REASON ? reason.substring(0, MOST_REASON - 1) + "…" : reason,
                record.at());
    }

    /** How a key begins; all of one that a row can have. */
    public static KeyBytes begin(KeyBytes key) {
        return key.length() > TableDefinition.MAX_KEY_BYTES
                ? KeyBytes.wrap(Arrays.copyOf(key.array(), TableDefinition.MAX_KEY_BYTES))
                : key;
    }
}
