package dev.tidemark.http;

/** Ends a request with a problem answer. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    /** The answer. */
    public Problem problem() {
        return problem;
    }
}
