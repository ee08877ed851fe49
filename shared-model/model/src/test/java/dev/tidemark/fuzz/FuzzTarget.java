package dev.tidemark.fuzz;

/** Reads any bytes at all. */
public interface FuzzTarget {
    /**
     * Reads one input.
     *
     * @throws Exception when the input brought out an error
     */
    void take(byte[] input) throws Exception;

    /** Fails when something does not hold that holds for every input. */
    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("Expected " + what);
        }
    }
}
