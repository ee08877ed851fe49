package dev.tidemark.writer.rocks;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.writer.testkit.StoreFixture;
import dev.tidemark.writer.testkit.TombstonesContract;

class RocksTombstonesTest extends TombstonesContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected StoreFixture open() {
        return new RocksFixture(directory);
    }
}
