package dev.tidemark.deploy.bench.cli;

import java.nio.file.Path;
import java.time.Duration;

import dev.tidemark.deploy.bench.ApplyBaseline;
import dev.tidemark.deploy.bench.kafka.PlainLoop;
import dev.tidemark.deploy.bench.rocks.RocksEntryTable;
import dev.tidemark.runtime.SteadyClock;

/** The process of the plain loop or of the store alone; prints how many nanoseconds it took. */
public final class BaselineMain {
    private BaselineMain() {}

    /** Arguments: brokers, topic, an empty directory, the name of the baseline. */
    public static void main(String[] arguments) {
        try (PlainLoop loop = new PlainLoop(arguments[0], arguments[1], new SteadyClock());
                RocksEntryTable table = new RocksEntryTable(Path.of(arguments[2]))) {
            Duration time = ApplyBaseline.valueOf(arguments[3]) == ApplyBaseline.PLAIN_LOOP
                    ? loop.run(table)
                    : loop.runStoreAlone(table);
            System.out.println(time.toNanos());
        }
    }
}
