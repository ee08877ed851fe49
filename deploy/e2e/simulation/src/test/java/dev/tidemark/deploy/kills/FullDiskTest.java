package dev.tidemark.deploy.kills;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.drill.machine.Disk;
import dev.tidemark.deploy.drill.machine.MachineException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.rocks.RocksView;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

/** Fills the disk of a store. {@code -Dfull.disks=N} sets how often. */
@Tag("slow")
class FullDiskTest {
    private static final long DISK_BYTES = 24 << 20;
    private static final long MEMTABLE_BYTES = 256 << 10;
    private static final int VALUE_BYTES = 20_000;
    private static final int KEYS = 100;
    private static final int TIMES = Integer.getInteger("full.disks", 3);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(10);

    @TempDir
    private Path directory = Path.of("");

    private final AtomicLong written = new AtomicLong();
    private volatile boolean ended;

    /** Memtables are full all the time, so that the disk is full while writes wait for them. */
    @Test
    void writesGoOnOnceThereIsRoomAgain() throws Exception {
        Path data = directory.resolve("data");
        try (Disk disk = disk(data)) {
            RocksResources resources = new RocksResources(8 << 20, MEMTABLE_BYTES);
            RocksDatabase database = RocksDatabase.open(data.resolve("store"), List.of("rows"), resources);
            Thread writer = new Thread(() -> write(database), "writes");
            writer.setDaemon(true);
            writer.start();
            for (int time = 0; time < TIMES; time++) {
                awaitWrites(time);
                disk.fill();
                BoundedWait.rest(Duration.ofMillis(300));
                disk.free();
            }
            awaitWrites(TIMES);
            ended = true;
            writer.join();
            // Not where the test failed: closing waits for writes.
            database.close();
            resources.close();
        }
    }

    @Test
    void aTableThatIsReadOftenIsNotMergedWhereTheDiskHasNoRoomForIt() throws Exception {
        Path data = directory.resolve("data");
        try (Disk disk = disk(data);
                RocksResources resources = new RocksResources(8 << 20, 8 << 20);
                RocksDatabase database = RocksDatabase.open(data.resolve("store"), List.of("rows"), resources)) {
            RocksTable rows = database.table("rows");
            writeOneBatch(database, new Random(1), 150);
            disk.fill();
            scan(database, rows);
            database.compactOftenRead();
            assertThat(database.files()).isEmpty();
            disk.free();
            scan(database, rows);
            database.compactOftenRead();
            assertThat(database.files()).hasSize(1);
        }
    }

    private static void scan(RocksDatabase database, RocksTable rows) {
        KeyRange all = new KeyRange(KeyBytes.wrap(new byte[] {0}), KeyBytes.wrap(new byte[] {127}));
        try (RocksView view = database.view()) {
            for (int i = 0; i < 60_000; i++) {
                view.shortScan(rows, all, Order.ASC, false).close();
            }
        }
    }

    private void awaitWrites(int time) throws InterruptedException {
        long before = written.get();
        assertThat(BoundedWait.until(() -> written.get() > before + 10, PATIENCE, STEP))
                .as("writes go on after the disk was full for the %dth time", time)
                .isTrue();
    }

    private void write(RocksDatabase database) {
        Random random = new Random(1);
        while (!ended) {
            try {
                writeOneBatch(database, random, 5);
                written.incrementAndGet();
            } catch (StoreException e) {
                LockSupport.parkNanos(STEP.toNanos());
            }
        }
    }

    private static void writeOneBatch(RocksDatabase database, Random random, int rows) {
        byte[] value = new byte[VALUE_BYTES];
        try (RocksBatch batch = new RocksBatch()) {
            for (int i = 0; i < rows; i++) {
                random.nextBytes(value);
                batch.put(database.table("rows"), new byte[] {(byte) random.nextInt(KEYS)}, value);
            }
            database.write(batch, false);
        }
    }

    private static Disk disk(Path data) throws Exception {
        try {
            return Disk.at(data, DISK_BYTES);
        } catch (MachineException e) {
            return Assumptions.abort("disks cannot be made here: " + e.getMessage());
        }
    }
}
