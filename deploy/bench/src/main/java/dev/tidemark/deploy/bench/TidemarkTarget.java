package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.IndexBuilder.IndexShape;

/**
 * Writer and worker with a table of customers, as a client has them. For any thread. A {@link #load(Stream)}
 * comes back when the index has the rows as well.
 */
public interface TidemarkTarget extends IndexBuilder {
    /** How a verification compares, as users choose it. */
    enum Mode {
        /** By digests where these are equal. */
        QUICK,
        /** Row by row. */
        FULL
    }

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

    /** The name of the table. */
    String table();

    /** Writes one row; the token of the write, once it is durable. */
    CompletableFuture<String> put(CustomerRow customer);

    /** Writes rows in one request; the token of the last, once all are durable. Fails when any was rejected. */
    CompletableFuture<String> load(List<CustomerRow> customers);

    /** Writes rows in requests of 5,000, one after the other, and returns when all are durable. */
    void loadAll(Stream<CustomerRow> rows) throws Exception;

    /** Queries the index for a town, with the token of a write; done when the answer has it. */
    CompletableFuture<Void> query(String town, String token, Duration patience);

    /** Builds the index, partitioned by its own key where it is to be global. */
    Duration build(IndexShape shape, boolean global) throws Exception;

    @Override
    default Duration build(IndexShape shape) throws Exception {
        return build(shape, false);
    }

    /** The worker's metrics page, at once. */
    String workerMetrics() throws BenchException, InterruptedException;

    /**
     * Compares the table with its index.
     *
     * @throws BenchException when anything differs, or the verification fails or does not finish
     */
    Compared verify(Mode mode) throws Exception;
}
