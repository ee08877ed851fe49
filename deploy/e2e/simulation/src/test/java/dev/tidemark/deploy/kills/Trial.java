package dev.tidemark.deploy.kills;

/** A store on disk that is written batch by batch, as a {@link Script} says. */
interface Trial extends AutoCloseable {
    /** The newest batch there is, by what the store itself says of it; 0 for none. */
    long newest();

    /** Writes the batch after the newest. It must survive the end of the process once this returns. */
    void write();

    /**
     * Compares all that is there with what batches 1 to {@link #newest()} leave.
     *
     * @return how many rows and entries were compared
     * @throws IllegalStateException that tells the first difference
     */
    long check();

    @Override
    void close();

    /** One more thing compared; they must be equal. */
    static void same(String what, Object found, Object expected) {
        if (!found.equals(expected)) {
            throw new IllegalStateException(
                    "Expected " + what + " to be " + shortened(expected) + ", but it is " + shortened(found));
        }
    }

    private static String shortened(Object value) {
        String text = value.toString();
        return text.length() <= 2_000 ? text : text.substring(0, 2_000) + "...";
    }
}
