package dev.tidemark.settings;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CatalogFileTest {
    @Test
    void namesTheFileThatItRead(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("catalog.yaml");
        Files.writeString(file, "tables: {t: {}}");

        assertThatThrownBy(() -> CatalogFile.read(file))
                .isInstanceOf(CatalogException.class)
                .hasMessageStartingWith(file + ":1:13: missing key \"primaryKey\"");
    }

    @Test
    void refusesAFileThatItCannotRead(@TempDir Path directory) throws Exception {
        Path latin = directory.resolve("latin.yaml");
        Files.write(latin, new byte[] {'#', ' ', (byte) 0xE9, '\n'});
        Path large = directory.resolve("large.yaml");
        Files.writeString(large, "#".repeat(CatalogReader.MAX_SIZE + 1));

        assertThatThrownBy(() -> CatalogFile.read(directory.resolve("none.yaml")))
                .hasMessageEndingWith(
                        "none.yaml: expected a readable catalog file of at most 1048576 bytes, but there is none");
        assertThatThrownBy(() -> CatalogFile.read(latin)).hasMessageEndingWith("but it is not UTF-8");
        assertThatThrownBy(() -> CatalogFile.read(large)).hasMessageEndingWith("but it has 1048577 bytes");
        assertThatThrownBy(() -> CatalogFile.read(directory)).isInstanceOf(CatalogException.class);
    }
}
