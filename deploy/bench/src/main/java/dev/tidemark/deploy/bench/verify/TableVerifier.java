package dev.tidemark.deploy.bench.verify;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;

/** A table of customers with an index, which can be compared. */
public interface TableVerifier {
    /** Makes one. */
    @FunctionalInterface
    interface Maker {
        /** For writer and worker at those addresses. */
        TableVerifier make(URI writer, URI worker, Clock clock);
    }

    /** How a comparison is made: as users ask for it. */
    enum Mode {
        /** By digests where these are equal. */
        QUICK,
        /** Row by row. */
        FULL
    }

    /** Writes the rows, and comes back when all are in the index. */
    void load(Stream<CustomerRow> rows) throws BenchException, InterruptedException;

    /**
     * Compares.
     *
     * @throws BenchException when anything differs, or the verification fails or does not finish
     */
    Compared verify(Mode mode) throws BenchException, InterruptedException;

    /**
     * A comparison that found everything equal.
     *
     * @param time from the order until it was done
     * @param rows compared
     * @param basis what was compared, as the worker says: rows or digests
     */
    record Compared(Duration time, long rows, String basis) {}
}
