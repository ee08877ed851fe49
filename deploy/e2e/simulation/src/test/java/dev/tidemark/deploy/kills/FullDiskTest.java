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
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksResources;
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

    private void awaitWrites(int time) throws InterruptedException {
        long before = written.get();
        assertThat(BoundedWait.until(() -> written.get() > before + 10, PATIENCE, STEP))
                .as("writes go on after the disk was full for the %dth time", time)
                .isTrue();
    }

    private void write(RocksDatabase database) {
        Random random = new Random(1);
        byte[] value = new byte[VALUE_BYTES];
        while (!ended) {
            try (RocksBatch batch = new RocksBatch()) {
                for (int i = 0; i < 5; i++) {
                    random.nextBytes(value);
                    batch.put(database.table("rows"), new byte[] {(byte) random.nextInt(KEYS)}, value);
                }
                database.write(batch, false);
                written.incrementAndGet();
            } catch (StoreException e) {
                LockSupport.parkNanos(STEP.toNanos());
            }
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
