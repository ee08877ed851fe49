package dev.tidemark.rocks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

class PackedBatchTest {
    private static final List<String> NAMES = List.of("one", "two", "three");

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void close() {
        resources.close();
    }

    @Test
    void whatIsPackedIsWrittenAsIfItWereAddedOneByOneAndIsThereAfterReopening() {
        long seed = 20_261_122;
        Random random = new Random(seed);
        Map<String, Map<KeyBytes, byte[]>> expected = new HashMap<>();
        NAMES.forEach(name -> expected.put(name, new HashMap<>()));
        try (RocksDatabase database = open()) {
            PackedBatch packed = new PackedBatch();
            for (int round = 0; round < 30; round++) {
                packed.clear();
                for (int record = random.nextInt(300); record > 0; record--) {
                    String name = NAMES.get(random.nextInt(NAMES.size()));
                    change(packed, database.table(name), expected.getOrDefault(name, Map.of()), random);
                }
                try (RocksBatch batch = packed.toBatch()) {
                    database.write(batch, random.nextBoolean());
                }
            }
        }
        try (RocksDatabase database = open()) {
            expected.forEach((name, rows) -> assertThat(missing(database, name, rows))
                    .as("seed %d, table %s", seed, name)
                    .isEmpty());
        }
    }

    @Test
    void whatWasAddedBeforeItWasClearedIsNotWritten() {
        try (RocksDatabase database = open()) {
            RocksTable table = database.table("one");
            PackedBatch packed = new PackedBatch().put(table, new byte[] {1}, new byte[] {1});
            packed.clear();
            packed.put(table, new byte[] {2}, new byte[] {9, 2, 9}, 1, 1);
            try (RocksBatch batch = packed.toBatch()) {
                database.write(batch, false);
            }
            assertThat(database.get(table, new byte[] {1})).isNull();
            assertThat(database.get(table, new byte[] {2})).containsExactly(2);
        }
    }

    @Test
    void whatIsTooMuchToBeLaidOutIsWrittenWithTheRest() {
        byte[] large = new byte[PackedBatch.MOST_HERE / 3];
        Arrays.fill(large, (byte) 7);
        try (RocksDatabase database = open()) {
            RocksTable table = database.table("one");
            try (RocksBatch before = new RocksBatch().put(table, new byte[] {5}, new byte[] {5})) {
                database.write(before, false);
            }
            PackedBatch packed = new PackedBatch();
            for (byte key = 1; key <= 4; key++) {
                packed.put(table, new byte[] {key}, large);
            }
            packed.delete(table, new byte[] {5}).put(database.table("two"), new byte[] {6}, new byte[] {0, 6, 0}, 1, 1);
            try (RocksBatch batch = packed.toBatch()) {
                database.write(batch, false);
            }
            try (RocksBatch next =
                    packed.put(table, new byte[] {4}, new byte[] {4}).toBatch()) {
                database.write(next, false);
            }

            for (byte key = 1; key <= 3; key++) {
                assertThat(database.get(table, new byte[] {key})).isEqualTo(large);
            }
            assertThat(database.get(table, new byte[] {4})).containsExactly(4);
            assertThat(database.get(table, new byte[] {5})).isNull();
            assertThat(database.get(database.table("two"), new byte[] {6})).containsExactly(6);
        }
    }

    @Test
    void whatWasTooMuchBeforeItWasClearedIsNotWritten() {
        try (RocksDatabase database = open()) {
            RocksTable table = database.table("one");
            PackedBatch packed = new PackedBatch().put(table, new byte[] {1}, new byte[PackedBatch.MOST_HERE]);
            packed.clear();
            try (RocksBatch batch =
                    packed.put(table, new byte[] {2}, new byte[] {2}).toBatch()) {
                database.write(batch, false);
            }

            assertThat(database.get(table, new byte[] {1})).isNull();
            assertThat(database.get(table, new byte[] {2})).containsExactly(2);
        }
    }

    /** Keys and values of every length of their lengths: one byte, two and three. */
    private static void change(PackedBatch packed, RocksTable table, Map<KeyBytes, byte[]> rows, Random random) {
        byte[] key = new byte[random.nextInt(20) == 0 ? 130 : 1];
        Arrays.fill(key, (byte) random.nextInt(60));
        if (random.nextInt(3) == 0) {
            packed.delete(table, key);
            rows.remove(KeyBytes.wrap(key));
            return;
        }
        byte[] value = new byte[random.nextInt(50) == 0 ? 20_000 : random.nextInt(300)];
        random.nextBytes(value);
        packed.put(table, key, value);
        rows.put(KeyBytes.wrap(key), value);
    }

    private static List<KeyBytes> missing(RocksDatabase database, String name, Map<KeyBytes, byte[]> rows) {
        List<KeyBytes> different = new ArrayList<>();
        for (int length : new int[] {1, 130}) {
            for (int first = 0; first < 60; first++) {
                byte[] key = new byte[length];
                Arrays.fill(key, (byte) first);
                if (!Arrays.equals(database.get(database.table(name), key), rows.get(KeyBytes.wrap(key)))) {
                    different.add(KeyBytes.wrap(key));
                }
            }
        }
        return different;
    }

    private RocksDatabase open() {
        return RocksDatabase.open(directory, NAMES, resources);
    }
}
