package dev.tidemark.writer.recovery;

import dev.tidemark.row.BadInputException;

/** Data of the writer that a newer version of it wrote. Nothing of it was changed. */
public final class NewerFormatException extends BadInputException {
    private static final long serialVersionUID = 1L;

    /**
     * Data of a format that is not known.
     *
     * @param what file, directory or database that has it
     * @param known the newest format that this version reads
     */
    public NewerFormatException(Object what, long known, long found) {
        super("expected " + what + " to have format " + known + " at most, but it has format " + found
                + ": a newer version of Tidemark wrote it. Run that version, or go back as docs/operations.md says");
    }
}
