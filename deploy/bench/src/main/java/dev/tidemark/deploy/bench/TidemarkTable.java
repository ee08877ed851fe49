package dev.tidemark.deploy.bench;

import java.time.Duration;

/** The table of the customers in Tidemark. */
public interface TidemarkTable extends IndexBuilder {
    /** How a verification compares, as users choose it. */
    enum Mode {
        /** By digests where these are equal. */
        QUICK,
        /** Row by row. */
        FULL
    }

    /**
     * Compares the table with its index.
     *
     * @throws BenchException when anything differs, or the verification fails or does not finish
     */
    Compared verify(Mode mode) throws BenchException, InterruptedException;

    /**
     * A verification that found everything equal.
     *
     * @param time from the request until the verification was done
     * @param rows compared
     * @param basis what the worker compared: rows or digests
     */
    record Compared(Duration time, long rows, String basis) {
        /** Rows a second. */
        public double perSecond() {
            return rows * 1e9 / time.toNanos();
        }
    }
}
