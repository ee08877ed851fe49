package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StartImage;

import static org.assertj.core.api.Assertions.assertThat;

/** What the build has made for this checkout. */
class FastStartIT {

    @Test
    void theImageOfCommandsServesTheirClassPathAndHoldsTheirClasses(@TempDir Path directory)
            throws StackException, IOException, InterruptedException {
        Installation installation = Installation.locate();
        Path said = directory.resolve("said");
        Path image = StartImage.COMMAND.file(installation);

        // The virtual machine ends with an error when what it has to use cannot be used.
        Process version = new ProcessBuilder(
                        installation.java().toString(),
                        "-XX:+UseSerialGC",
                        StartImage.AHEAD_OF_TIME ? "-XX:AOTMode=on" : "-Xshare:on",
                        (StartImage.AHEAD_OF_TIME ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + image,
                        "-Xlog:class+load",
                        "-jar",
                        installation.serviceJar().toString(),
                        "--version")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();

        assertThat(version.waitFor()).as(() -> said.toString()).isZero();
        assertThat(Files.readString(said))
                .contains("dev.tidemark.deploy.cli.TidemarkMain source: shared objects file")
                .doesNotContain("dev.tidemark.deploy.cli.TidemarkMain source: jar");
    }

    @Test
    void theNativeLibraryIsUnpackedUnderTheNameThatIsLookedFor() throws StackException {
        assertThat(Installation.locate().nativeLibraries().resolve(System.mapLibraryName("rocksdbjni")))
                .isNotEmptyFile();
    }
}
