package dev.tidemark.deploy.stack;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PostgresArchiveTest {
    private static final String NAME = "postgres-linux-x86_64.txz";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void thePackedProgramsOfTheBuildRunWhereTheyAreUnpacked() throws Exception {
        Files.copy(PostgresArchive.of(Installation.locate()).directory().resolve(NAME), directory.resolve(NAME));

        Path programs = new PostgresArchive(directory).programs().orElseThrow();

        Process server = new ProcessBuilder(List.of(programs.resolve("postgres").toString(), "--version")).start();
        assertThat(new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("postgres (PostgreSQL) 17");
        assertThat(programs.resolve("initdb")).isExecutable();
        assertThat(new PostgresArchive(directory).programs()).contains(programs);
    }

    @Test
    void aDamagedArchiveIsNamed() throws Exception {
        Files.writeString(directory.resolve(NAME), "no archive");

        assertThatThrownBy(() -> new PostgresArchive(directory).programs())
                .isInstanceOf(StackException.class)
                .hasMessageContaining(NAME);
    }

    @Test
    void aReleaseHasNone() throws Exception {
        assertThat(new PostgresArchive(directory).programs()).isEmpty();
    }
}
