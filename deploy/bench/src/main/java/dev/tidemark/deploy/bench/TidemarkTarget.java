package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** Writer and worker as a client has them. For any thread. Only {@link #loadAll} waits; a failure fails its future. */
public interface TidemarkTarget {
    /** Rows of one request of a load. */
    int ROWS_A_REQUEST = 5_000;

    /** Writes one row; the token of the write, once it is durable. */
    CompletableFuture<String> put(CustomerRow customer);

    /** Writes rows in one request; the token of the last, once all are durable. Fails when any was rejected. */
    CompletableFuture<String> load(List<CustomerRow> customers);

    /** Writes rows in requests of 5,000, one after the other, and returns when all are durable. */
    default void loadAll(Stream<CustomerRow> rows) throws BenchException {
        List<CustomerRow> batch = new ArrayList<>();
        for (Iterator<CustomerRow> each = rows.iterator(); each.hasNext(); ) {
            batch.add(each.next());
            if (batch.size() == ROWS_A_REQUEST || !each.hasNext()) {
                try {
                    load(List.copyOf(batch)).join();
                } catch (CompletionException e) {
                    throw new BenchException("a load failed: " + e.getCause(), e);
                }
                batch.clear();
            }
        }
    }

    /** Queries the index for a town, with the token of a write; done when the answer has it. */
    CompletableFuture<Void> query(String town, String token, Duration patience);

    /** The worker's metrics page, at once. */
    String workerMetrics() throws BenchException, InterruptedException;
}
