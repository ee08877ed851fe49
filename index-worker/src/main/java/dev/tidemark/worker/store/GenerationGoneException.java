package dev.tidemark.worker.store;

/** The generation has been dropped since the view was opened; a view opened now shows what there is instead. */
public final class GenerationGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GenerationGoneException(long generation) {
        super("Expected generation " + generation + ", but it has been dropped");
    }
}
