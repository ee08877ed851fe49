package dev.tidemark.worker.copy;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CopiedFileTest {
    private static final String SUM = "0123456789abcdef".repeat(4);

    @ParameterizedTest
    @ValueSource(strings = {"../x", "a/b", "a\\b", ".", "..", ".hidden", "", "/etc/passwd", "a\0b", "a b"})
    void aNameIsNeverAPath(String name) {
        assertThatThrownBy(() -> new CopiedFile(name, 1, SUM)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-000005", "000012.sst", "OPTIONS-000007"})
    void takesTheNamesOfADatabase(String name) {
        assertThat(new CopiedFile(name, 0, SUM).name()).isEqualTo(name);
    }

    @Test
    void aSumIsOfTheWholeFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "abc");
        assertThat(CopiedFile.sumOf(file))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThatThrownBy(() -> new CopiedFile("a", 1, "ABC")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CopiedFile("a", -1, SUM)).isInstanceOf(IllegalArgumentException.class);
    }
}
