package dev.tidemark.writer.rocks;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.writer.testkit.OutboxContract;
import dev.tidemark.writer.testkit.StoreFixture;

class RocksOutboxTest extends OutboxContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected StoreFixture open() {
        return new RocksFixture(directory);
    }
}
