package dev.tidemark.runtime;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DataDirectoryTest {
    @TempDir
    Path temporary = Path.of("");

    @Test
    void isForOneAtATime() throws Exception {
        Path path = temporary.resolve("data");
        try (DataDirectory taken = DataDirectory.take(path)) {
            assertThat(taken.path()).isDirectory();
            assertThatThrownBy(() -> DataDirectory.take(path))
                    .isInstanceOf(DirectoryInUseException.class)
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("in use by another process");
        }
        DataDirectory.take(path).close();
    }
}
