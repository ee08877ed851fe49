package dev.tidemark.worker.apply;

import java.util.Optional;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.row.RowVersion;

/** A record about a row, read as far as it can be. */
sealed interface DecodedRecord {
    LogRecord source();

    /**
     * A change, and the row version up to which every change was applied before this record. The shard ignores a change
     * at or below that version for a row that it has no state for: the row was deleted since, and the shard dropped its
     * state. A row that was read again from the fact table is an exception: it existed when it was published, and the
     * shard may have missed its change when the broker lost records.
     */
    record Good(LogRecord source, ChangeEvent event, RowVersion told) implements DecodedRecord {}

    /**
     * A record that cannot be read.
     *
     * @param version its version, if it could be read and is trusted
     * @param ceiling the highest version that the writer had assigned, if the record's version is not trusted because
     *     it is above
     */
    record Bad(LogRecord source, String reason, Optional<RowVersion> version, Optional<RowVersion> ceiling)
            implements DecodedRecord {
        /** A record that no writer wrote, so that its version means nothing. */
        static Bad forged(LogRecord source, String reason) {
            return new Bad(source, reason, Optional.empty(), Optional.empty());
        }

        /** A record with a version that the writer had not assigned when the record had been read. */
        static Bad above(LogRecord source, RowVersion claimed, VersionCeiling ceiling) {
            return new Bad(source, ceiling.reason(claimed), Optional.empty(), Optional.of(ceiling.version()));
        }

        static Bad of(LogRecord source, String reason) {
            return new Bad(source, reason, version(source.record()), Optional.empty());
        }

        /** The version that a record claims; empty where it has none that can be read. */
        static Optional<RowVersion> version(WireRecord record) {
            try {
                return Optional.of(ChangeCodec.version(record));
            } catch (MalformedChangeException e) {
                return Optional.empty();
            }
        }
    }
}
