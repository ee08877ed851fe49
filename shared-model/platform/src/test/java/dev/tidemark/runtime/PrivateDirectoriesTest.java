package dev.tidemark.runtime;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class PrivateDirectoriesTest {
    @Test
    void aDirectoryGoesWithAllItHoldsAndOneThatIsAbsentIsNoFailure(@TempDir Path directory) throws Exception {
        Path inner = directory.resolve("outer/inner");
        PrivateFiles.createDirectories(inner);
        Files.writeString(inner.resolve("file"), "text");
        PrivateFiles.removeDirectory(directory.resolve("outer"));
        PrivateFiles.removeDirectory(directory.resolve("outer"));
        assertThat(directory).isEmptyDirectory();
    }
}
