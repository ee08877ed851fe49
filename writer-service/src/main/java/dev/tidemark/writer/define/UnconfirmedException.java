package dev.tidemark.writer.define;

/** Definitions cannot be changed yet, because later ones than those stored here may have been published in the past. */
public final class UnconfirmedException extends Exception {
    private static final long serialVersionUID = 1L;

    UnconfirmedException(String obstacle) {
        super(
                "nothing was changed: the writer does not know yet which definitions it published before it was started, so"
                        + " a version could be given twice (" + obstacle
                        + "). See to it that the broker answers, then send the"
                        + " change again; it needs no other version unless a later one has come into force");
    }
}
