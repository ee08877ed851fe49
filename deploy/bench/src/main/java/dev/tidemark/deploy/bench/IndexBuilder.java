package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A system that keeps a table of customers and can build an index on last name and town over it. */
public interface IndexBuilder extends AutoCloseable {
    /** The key of the index. */
    List<String> KEY = List.of("lastName", "town");

    /** The name in the report. */
    String name();

    /** Writes the rows, and comes back when all are there for good. */
    void load(Stream<CustomerRow> rows) throws BenchException, InterruptedException;

    /** Builds the index; how long it took until queries may use it. */
    Duration build(IndexShape shape) throws BenchException, InterruptedException;

    /** Drops it again. */
    void drop() throws BenchException, InterruptedException;

    @Override
    void close();
}
