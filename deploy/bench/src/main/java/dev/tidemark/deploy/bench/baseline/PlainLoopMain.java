package dev.tidemark.deploy.bench.baseline;

import java.nio.file.Path;

import dev.tidemark.deploy.bench.apply.PlainLoop;
import dev.tidemark.deploy.bench.kafka.KafkaFeed;
import dev.tidemark.deploy.bench.rocks.RocksEntryTable;
import dev.tidemark.runtime.SteadyClock;

/** The process of the plain loop; prints how many nanoseconds it took. */
public final class PlainLoopMain {
    private PlainLoopMain() {}

    /** Arguments: brokers, topic, an empty directory. */
    public static void main(String[] arguments) {
        try (KafkaFeed feed = new KafkaFeed(arguments[0], arguments[1]);
                RocksEntryTable table = new RocksEntryTable(Path.of(arguments[2]))) {
            System.out.println(
                    new PlainLoop(feed, table, new SteadyClock()).run().toNanos());
        }
    }
}
