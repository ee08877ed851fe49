package dev.tidemark.writer.commit;

import dev.tidemark.row.BadInputException;

/** A writer cannot start, because what is on disk of the fact tables is not what was written. */
public final class FactsDamagedException extends BadInputException {
    private static final long serialVersionUID = 1L;

    /**
     * Damage.
     *
     * @param what was found, and what to do about it, for people
     */
    public FactsDamagedException(String what, Throwable cause) {
        super(what);
        initCause(cause);
    }
}
