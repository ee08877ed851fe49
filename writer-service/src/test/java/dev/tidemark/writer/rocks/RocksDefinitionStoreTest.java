package dev.tidemark.writer.rocks;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.writer.testkit.DefinitionStoreContract;
import dev.tidemark.writer.testkit.StoreFixture;

class RocksDefinitionStoreTest extends DefinitionStoreContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected StoreFixture open() {
        return new RocksFixture(directory);
    }
}
