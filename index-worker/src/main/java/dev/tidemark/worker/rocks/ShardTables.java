package dev.tidemark.worker.rocks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.worker.store.QuarantinedName;

/**
 * The tables of a shard's database. Names are frozen: they are on disk. Tables of generations come and go by the one
 * thread that writes; any thread may ask for them.
 */
final class ShardTables {
    /** Version of everything that this package writes. */
    static final byte[] FORMAT = {3};

    static final byte[] FORMAT_KEY = key("format");
    static final byte[] ORIGIN_KEY = key("origin");
    static final byte[] CHECKPOINT_KEY = key("checkpoint");

    /** This key exists once the separate table of names has the name of every quarantined record. */
    static final byte[] NAMED_KEY = key("quarantine named");

    /** Those that every shard has. */
    static final List<String> ALWAYS = List.of("rows", "quarantine", "quarantined", "meta", "refused");

    /** An iterator that no scan needs for this number of batches keeps what they replaced, and is closed. */
    static final int WRITES_UNUSED = 128;

    private static final String INDEX_PREFIX = "index-";

    /** Primary key ⇒ row state. */
    final RocksTable rows;

    /** Record key ⇒ quarantined record. */
    final RocksTable quarantine;

    /** Record key, cut where it is long ⇒ name of the quarantined record. */
    final RocksTable quarantined;

    /** Fixed name ⇒ format, origin, checkpoint, and whether quarantined records have names. */
    final RocksTable meta;

    /** Number of the generation in eight bytes, then primary key ⇒ version and reason. */
    final RocksTable refused;

    /** By number of the generation: entry key ⇒ what the entry carries. */
    private final Map<Long, RocksTable> generations = new ConcurrentHashMap<>();

    private final RocksDatabase database;
    private long writes;

    ShardTables(RocksDatabase database) {
        this.database = database;
        this.rows = database.table("rows");
        this.quarantine = database.table("quarantine");
        this.quarantined = database.table("quarantined");
        this.meta = database.table("meta");
        this.refused = database.table("refused");
        database.tableNames().stream()
                .filter(name -> name.startsWith(INDEX_PREFIX))
                .forEach(name -> generations.put(number(name), database.table(name)));
    }

    /** The table of a generation; empty when there is none. */
    Optional<RocksTable> generation(long id) {
        return Optional.ofNullable(generations.get(id));
    }

    /** Counts a batch that the one thread has written, and now and then closes what scans have left unused. */
    void written() {
        writes++;
        if (writes % WRITES_UNUSED == 0) {
            generations.values().forEach(RocksTable::closeUnused);
        }
    }

    Set<Long> generations() {
        return Set.copyOf(generations.keySet());
    }

    void add(Collection<Long> ids) {
        database.createTables(ids.stream().map(ShardTables::name).toList());
        ids.forEach(id -> generations.put(id, database.table(name(id))));
    }

    /**
     * The table goes last: as long as it is there, the next opening knows that there is something left to remove. It
     * goes at once for good, so what has to be gone before it is synced.
     */
    void drop(long generation) {
        generations.remove(generation);
        try (RocksBatch batch = new RocksBatch()) {
            database.write(batch.deleteRange(refused, refusedBy(generation)), true);
        }
        database.dropTable(name(generation));
    }

    /** Where a row stands among those that a generation cannot hold. */
    static KeyBytes refusedKey(long generation, KeyBytes primaryKey) {
        return prefix(generation).concat(primaryKey);
    }

    /** The primary key in what {@link #refusedKey} made. */
    static KeyBytes refusedRow(byte[] refusedKey) {
        return KeyBytes.wrap(Arrays.copyOfRange(refusedKey, Long.BYTES, refusedKey.length));
    }

    /** Where all rows stand that a generation cannot hold. */
    static KeyRange refusedBy(long generation) {
        return new KeyRange(prefix(generation), prefix(generation + 1));
    }

    /**
     * Where the name of a quarantined record stands, by its record key: how that begins, and a sum of all of it where
     * it is long.
     */
    static byte[] nameKey(KeyBytes recordKey) {
        KeyBytes begin = QuarantinedName.begin(recordKey);
        if (begin.length() == recordKey.length()) {
            return begin.array();
        }
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(recordKey.array());
            return begin.concat(KeyBytes.wrap(sum)).array();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256, which every Java has", e);
        }
    }

    private static KeyBytes prefix(long generation) {
        return KeyBytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(generation).array());
    }

    private static String name(long generation) {
        return INDEX_PREFIX + generation;
    }

    private static long number(String name) {
        return Long.parseLong(name.substring(INDEX_PREFIX.length()));
    }

    private static byte[] key(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }
}
