package dev.tidemark.deploy.bench.growth;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.wrk.WrkOutput;

/** A writer and a worker with one index, whose table grows. For one thread. */
interface GrowingStack {
    /** Writes rows, and comes back when the index has them. */
    void write(Stream<CustomerRow> rows) throws BenchException, InterruptedException;

    /**
     * Ends the worker, writes, and starts it again.
     *
     * @param changes how many there are
     * @return changes a second that the worker applied until it had caught up, its start not counted
     */
    double follow(Stream<CustomerRow> rows, int changes) throws BenchException, IOException, InterruptedException;

    /** Queries the first 20 entries of towns, over 16 connections, for a time. */
    WrkOutput query(Duration time) throws BenchException, IOException, InterruptedException;

    /** Bytes of memory that the worker's process has now. */
    long residentBytes() throws IOException;
}
