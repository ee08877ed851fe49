package dev.tidemark.writer.rocks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.writer.testkit.DefinitionStoreContract;
import dev.tidemark.writer.testkit.StoreFixture;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RocksDefinitionStoreTest extends DefinitionStoreContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected StoreFixture open() {
        return new RocksFixture(directory);
    }

    @Test
    void refusesWhatANewerVersionSaved() throws Exception {
        RocksResources resources = new RocksResources(8 << 20, 1 << 20);
        try (resources;
                WriterDatabase database =
                        RocksFixture.open(directory.resolve("newer"), TestTables.CATALOG, resources)) {
            byte[] newer = "{\"format\":9}".getBytes(StandardCharsets.UTF_8);
            database.database.put(database.meta, MetaKeys.DEFINITIONS, newer, true);

            assertThatThrownBy(() -> new RocksDefinitionStore(database).load())
                    .isInstanceOf(BadDefinitionsException.class)
                    .hasMessageContaining("expected definitions of format 1 to 4, but these have format 9");
        }
    }
}
