package dev.tidemark.worker.apply;

import java.util.Optional;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.row.RowVersion;

/** A record about a row, read as far as it can be. */
sealed interface Decoded {
    LogRecord source();

    /** A change. */
    record Good(LogRecord source, ChangeEvent event) implements Decoded {}

    /**
     * A record that cannot be read.
     *
     * @param version its version, where that much could be read
     */
    record Bad(LogRecord source, String reason, Optional<RowVersion> version) implements Decoded {
        static Bad of(LogRecord source, String reason) {
            return new Bad(source, reason, version(source.record()));
        }

        private static Optional<RowVersion> version(WireRecord record) {
            try {
                return Optional.of(ChangeCodec.version(record));
            } catch (MalformedChangeException e) {
                return Optional.empty();
            }
        }
    }
}
