package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class ImageFileTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @TempDir
    private Path directory;

    @Test
    void anArchiveIsFreshUntilAJarBesideItsOwnIsWrittenAgain() throws IOException {
        ImageFile archive = archive();
        Path jar = at(directory.resolve("lib/first.jar"), 1_000);
        Path other = at(directory.resolve("lib/other.jar"), 2_000);
        assertThat(archive.isFresh()).isFalse();

        at(directory.resolve("out/first.jsa"), 3_000);
        assertThat(archive.isFresh()).isTrue();

        Files.setLastModifiedTime(other, FileTime.fromMillis(4_000));
        assertThat(archive.isFresh()).isFalse();
        assertThat(jar).exists();
    }

    @Test
    void aDumpThatFailsLeavesTheArchiveThatWasThereAndNamesItsLog() throws IOException, InterruptedException {
        Path before = at(directory.resolve("out/first.jsa"), 3_000);
        at(directory.resolve("lib/first.jar"), 1_000);
        ImageFile archive = archive();

        Process dump = archive.beginArchive(Path.of("/bin/false"), List.of(list("java/lang/Object")), directory);

        assertThatIOException().isThrownBy(() -> archive.finish(dump)).withMessageContaining("first.jsa.log");
        assertThat(before).exists();
    }

    @Test
    void aDumpThatSucceedsIsUsedByAVirtualMachineThatInsistsOnIt() throws IOException, InterruptedException {
        Files.createDirectories(directory.resolve("lib"));
        ImageFile archive = archive();

        archive.finish(archive.beginArchive(
                JAVA, List.of(list("java/lang/Object"), list("java/lang/Object", "java/util/List")), directory));

        Process insisting = new ProcessBuilder(
                        JAVA.toString(), "-Xshare:on", "-XX:SharedArchiveFile=" + archive.file(), "-version")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        assertThat(insisting.waitFor())
                .as(() -> directory.resolve("said").toString())
                .isZero();
    }

    private Path list(String... classes) throws IOException {
        return Files.write(directory.resolve("list" + classes.length), List.of(classes));
    }

    private ImageFile archive() {
        return new ImageFile(directory.resolve("lib/first.jar"), directory.resolve("out/first.jsa"));
    }

    private static Path at(Path file, long millis) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, "");
        return Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
    }
}
