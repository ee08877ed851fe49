package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StackException;

import static org.assertj.core.api.Assertions.assertThat;

/** What the build has made for this checkout. */
class FastStartIT {

    @Test
    void theServicesArchiveServesTheirClassPathAndHoldsTheirClasses(@TempDir Path directory)
            throws StackException, IOException, InterruptedException {
        Installation installation = Installation.locate();
        Path said = directory.resolve("said");

        // On, and not auto: the virtual machine ends with an error when the archive cannot be used.
        Process version = new ProcessBuilder(
                        installation.java().toString(),
                        "-Xshare:on",
                        "-XX:SharedArchiveFile=" + installation.serviceArchive(),
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
