package dev.tidemark.rocks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The tables that a database has before it is opened. */
final class TablesOnDisk {
    /** The one that every database has. */
    private static final String DEFAULT = new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8);

    private TablesOnDisk() {}

    /** Their names; of an empty directory only the one that will be there. */
    static Set<String> of(Path path) throws RocksDBException {
        Set<String> names = new LinkedHashSet<>();
        names.add(DEFAULT);
        if (Files.exists(path.resolve("CURRENT"))) {
            try (Options options = new Options()) {
                RocksDB.listColumnFamilies(options, path.toString()).stream()
                        .map(name -> new String(name, StandardCharsets.UTF_8))
                        .forEach(names::add);
            }
        }
        return names;
    }
}
