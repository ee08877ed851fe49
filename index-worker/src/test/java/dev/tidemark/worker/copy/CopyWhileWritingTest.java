package dev.tidemark.worker.copy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.shard.PartitionInfoSource.PartitionInfo;
import dev.tidemark.worker.shard.RebuildPolicy;
import dev.tidemark.worker.shard.ShardSupply;
import dev.tidemark.worker.store.ShardStore;

import static dev.tidemark.worker.copy.WrittenShard.ID;
import static dev.tidemark.worker.copy.WrittenShard.ORIGIN;
import static org.assertj.core.api.Assertions.assertThat;

/** A shard is taken while its owner goes on to apply changes. */
@Timeout(60)
class CopyWhileWritingTest {
    private static final long RECORDS = 30_000;
    private static final long BEFORE = 5_000;

    @Test
    void theCopyHasExactlyTheRowsUpToItsOffset(@TempDir Path directory) throws Exception {
        SteadyClock clock = new SteadyClock();
        URI owner = URI.create("http://owner");
        try (RocksResources resources = new RocksResources(8 << 20, 1 << 20)) {
            RocksShardStores stores = new RocksShardStores(directory.resolve("owner"), resources, 0, 0);
            RocksShardStores taker = new RocksShardStores(directory.resolve("taker"), resources, 0, 0);
            LoopbackHolders holders = new LoopbackHolders();
            holders.workers.put(
                    owner,
                    new HeldCopies(
                            directory.resolve("copies"), stores, new ByteRate(Long.MAX_VALUE / 2, clock), clock));
            try (ShardStore store = stores.open(ID, ORIGIN)) {
                AtomicLong written = new AtomicLong();
                CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                    for (long next = 0; next < RECORDS; next += 100) {
                        WrittenShard.write(store, next, next + 100);
                        written.set(next + 100);
                    }
                });
                BoundedWait.until(() -> written.get() >= BEFORE, Duration.ofSeconds(30), Duration.ofMillis(1));
                int copies = 0;
                while (!writing.isDone()) {
                    fetch(taker, holders, owner, clock);
                    try (ShardStore copy = taker.open(ID, ORIGIN)) {
                        assertThat(WrittenShard.requireWhole(copy, RECORDS)).isGreaterThanOrEqualTo(BEFORE);
                    }
                    taker.drop(ID);
                    copies++;
                }
                writing.join();
                assertThat(copies).isPositive();
                WrittenShard.requireWhole(store, RECORDS);
            }
        }
    }

    private static void fetch(RocksShardStores taker, LoopbackHolders holders, URI owner, SteadyClock clock) {
        new ShardTaker(
                        taker,
                        holders,
                        shard -> List.of(owner),
                        new RebuildPolicy(Duration.ofDays(36_500)),
                        1_000,
                        clock,
                        BoundedWait::rest,
                        new CopyMeter())
                .fetch(
                        new ShardSupply.Need(
                                ID,
                                ORIGIN,
                                new PartitionInfo(ORIGIN.topicId(), 0, RECORDS, Optional.empty(), Optional.empty()),
                                0),
                        () -> true);
    }
}
