package dev.tidemark.worker.rocks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksTable;

/** The tables of a shard's database. Names are frozen: they are on disk. */
final class ShardTables {
    /** Version of everything that this package writes. */
    static final byte[] FORMAT = {2};

    static final byte[] FORMAT_KEY = key("format");
    static final byte[] ORIGIN_KEY = key("origin");
    static final byte[] CHECKPOINT_KEY = key("checkpoint");

    private static final String ROWS = "rows";
    private static final String QUARANTINE = "quarantine";
    private static final String META = "meta";
    private static final String INDEX_PREFIX = "index-";

    /** Primary key ⇒ row state. */
    final RocksTable rows;

    /** Record key ⇒ quarantined record. */
    final RocksTable quarantine;

    /** Fixed name ⇒ format, origin, checkpoint. */
    final RocksTable meta;

    /** By position of the index: entry key ⇒ what the entry carries. */
    final List<RocksTable> indexes;

    ShardTables(RocksDatabase database, int indexes) {
        this.rows = database.table(ROWS);
        this.quarantine = database.table(QUARANTINE);
        this.meta = database.table(META);
        this.indexes = IntStream.range(0, indexes)
                .mapToObj(i -> database.table(INDEX_PREFIX + i))
                .toList();
    }

    static List<String> names(int indexes) {
        List<String> names = new ArrayList<>(List.of(ROWS, QUARANTINE, META));
        IntStream.range(0, indexes).forEach(i -> names.add(INDEX_PREFIX + i));
        return names;
    }

    private static byte[] key(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }
}
