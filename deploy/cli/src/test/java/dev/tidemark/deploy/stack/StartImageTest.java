package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class StartImageTest {
    @TempDir
    private Path home = Path.of("");

    @Test
    void anImageThatCannotBeUsedIsPassedOverInSilence() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Installation installation = new Installation(home, java);
        Path image = StartImage.COMMAND.file(installation);
        Files.createDirectories(image.getParent());
        Files.writeString(image, "of another Java");
        Path said = home.resolve("said");

        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(StartImage.COMMAND.use(installation));
        command.addAll(List.of("-Xshare:auto", "--version"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();

        assertThat(process.waitFor()).isZero();
        assertThat(said).content().contains("build").doesNotContain("[cds", "[aot", "[warning]");
        assertThat(StartImage.COMMAND.use(installation))
                .last()
                .isEqualTo(StartImage.AHEAD_OF_TIME ? "-Xlog:aot*=off" : "-Xlog:cds*=off");
    }
}
