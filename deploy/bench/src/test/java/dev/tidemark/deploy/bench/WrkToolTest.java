package dev.tidemark.deploy.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class WrkToolTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void findsTheProgramOnTheSearchPathOnlyWhereItCanBeRun() throws Exception {
        Path program = Files.createFile(directory.resolve("wrk"));

        assertThat(WrkTool.on("/nowhere:" + directory)).isEmpty();

        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(WrkTool.on("/nowhere::" + directory)).contains(new WrkTool(program));
        assertThat(WrkTool.on("")).isEmpty();
    }
}
