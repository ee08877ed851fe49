package dev.tidemark.deploy.drill;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class RestoreOldCopyTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void aDirectoryStaysAndHasTheContentsOfTheOther() throws Exception {
        Files.createDirectories(directory.resolve("target/old/deep"));
        Path target = directory.resolve("target");
        Files.writeString(target.resolve("old/deep/file"), "old");
        Files.writeString(target.resolve("file"), "old");
        Path source = Files.createDirectories(directory.resolve("source/new/deep"));
        Files.writeString(source.resolve("file"), "new");
        Object before = Files.getAttribute(target, "unix:ino");

        RestoreOldCopy.replace(target, directory.resolve("source"));

        assertThat(Files.getAttribute(target, "unix:ino")).isEqualTo(before);
        assertThat(target).isDirectoryNotContaining("glob:**/{old,file}");
        assertThat(target.resolve("new/deep/file")).hasContent("new");
    }

    @Test
    void aDirectoryThatIsMissingIsMade() throws Exception {
        Path source = Files.createDirectories(directory.resolve("source"));
        Files.writeString(source.resolve("file"), "new");

        RestoreOldCopy.replace(directory.resolve("target"), source);

        assertThat(directory.resolve("target/file")).hasContent("new");
    }
}
