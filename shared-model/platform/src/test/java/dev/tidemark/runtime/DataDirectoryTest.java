package dev.tidemark.runtime;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.testkit.LoggedLines;

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

    @Test
    void isForTheUserOfTheProcessAlone() throws Exception {
        Path path = temporary.resolve("outer").resolve("data");

        DataDirectory.take(path).close();

        assertThat(Files.getPosixFilePermissions(path)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(path.resolve("process.lock")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void oneThatWasOpenToOthersStaysSoAndIsReported() throws Exception {
        Path path = Files.createDirectory(temporary.resolve("data"));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-x---"));

        try (LoggedLines lines = LoggedLines.listen()) {
            DataDirectory.take(path).close();

            assertThat(lines.all()).anyMatch(line -> line.contains("chmod 700"));
        }
        assertThat(PrivateFiles.isOpenToOthers(path)).isTrue();
    }
}
