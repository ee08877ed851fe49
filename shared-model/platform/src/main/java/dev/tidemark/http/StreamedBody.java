package dev.tidemark.http;

/**
 * A body that is taken in pieces as they arrive. One thread at a time; none while the client sends nothing.
 */
public interface StreamedBody extends AutoCloseable {
    /**
     * Takes a piece of the body.
     *
     * @param bytes valid during the call only
     * @param length how many of them are the piece's
     * @throws Exception which is answered with a problem, and ends the load
     */
    void take(byte[] bytes, int length) throws Exception;

    /** Fills the answer, once all of the body was taken. */
    void end() throws Exception;

    /**
     * Settles what was begun, where the rest of the body does not come or is not taken. A thread for handlers calls it
     * at most once, after the last piece.
     *
     * @param problem why
     * @return the answer: the problem, which also states what was done
     */
    default Problem stopped(Problem problem) {
        return problem;
    }

    /** Called once, at the end of all, whether the body arrived or not. */
    @Override
    void close();

    /** Whether all of it is held in memory. A client may then be no slower than one that sends a short body. */
    default boolean isHeld() {
        return false;
    }

    /** Begins a load. */
    @FunctionalInterface
    interface Begin {
        /**
         * Begins the load of a call, before any of its body is read.
         *
         * @throws Exception which is answered with a problem
         */
        StreamedBody of(Call call) throws Exception;
    }
}
