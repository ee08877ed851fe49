package dev.tidemark.writer.rocks;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.writer.testkit.FactStoreContract;
import dev.tidemark.writer.testkit.StoreFixture;

class RocksFactStoreTest extends FactStoreContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected StoreFixture open() {
        return new RocksFixture(directory);
    }
}
