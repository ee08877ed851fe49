package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writer and worker as a client has them. For any thread; nothing here waits, what fails fails its future. */
public interface TidemarkTarget {

    /** Writes one row; the token of the write, once it is durable. */
    CompletableFuture<String> put(CustomerRow customer);

    /** Writes rows in one request; the token of the last, once all are durable. Fails when any was rejected. */
    CompletableFuture<String> load(List<CustomerRow> customers);

    /** Asks the index for a town, with the token of a write; done when the answer has it. */
    CompletableFuture<Void> query(String town, String token, Duration patience);

    /** The worker's metrics page, at once. */
    String workerMetrics() throws BenchException, InterruptedException;
}
