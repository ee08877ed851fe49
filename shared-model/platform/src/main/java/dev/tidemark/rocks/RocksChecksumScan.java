package dev.tidemark.rocks;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.tidemark.checksum.ChecksumScanTarget;

/**
 * The table files of an open database. What is in memory and in write-ahead logs is in no file yet.
 *
 * @param onDamage called with what is wrong
 */
public record RocksChecksumScan(RocksDatabase database, Consumer<String> onDamage) implements ChecksumScanTarget {
    @Override
    public Map<Path, Long> files() {
        return database.files();
    }

    @Override
    public Optional<String> look(Path file) {
        return database.damageOf(file);
    }

    @Override
    public void damaged(String what) {
        onDamage.accept(what);
    }
}
