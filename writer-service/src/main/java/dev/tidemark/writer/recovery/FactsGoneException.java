package dev.tidemark.writer.recovery;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowVersion;

/** There are no fact tables where some were seen. */
public final class FactsGoneException extends BadInputException {
    private static final long serialVersionUID = 1L;

    FactsGoneException(RowVersion seen) {
        super("expected fact tables with commits up to version " + seen + ", as the file " + CommitHighWaterMark.FILE
                + " of the data directory tells, but they are empty: put a backup back with tidemark restore, or delete that"
                + " file to begin with empty tables");
    }
}
