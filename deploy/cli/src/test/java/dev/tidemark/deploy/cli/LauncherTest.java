package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/** What the launcher gives to a Java that only prints it. */
final class LauncherTest {
    private static final Path HOME = SourceTree.ofProject().root().toAbsolutePath();

    @TempDir
    Path java = Path.of("");

    @BeforeEach
    void makeJava() throws IOException {
        Files.createDirectories(java.resolve("bin"));
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
        Path program = Files.writeString(java.resolve("bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void findsItsHomeByARelativePath() throws Exception {
        assertThat(launch(Map.of())).contains("-Dtidemark.home=" + HOME.toRealPath(), "--version");
    }

    @Test
    void findsItsHomeWhereCdSearchesElsewhere() throws Exception {
        for (String path : List.of(".", "deploy/cli/src/test/java/dev/tidemark")) {
            assertThat(launch(Map.of("CDPATH", path)))
                    .as(path)
                    .contains("-Dtidemark.home=" + HOME.toRealPath(), "--version");
        }
    }

    @Test
    void buildsWhereASourceChangedInAPackageOfAnyName(@TempDir Path home) throws Exception {
        assertThat(launchIn(home, "deploy/chaos/src/main/java/dev/tidemark/deploy/target/Made.java"))
                .contains("tidemark: building (once, a minute or two)…");
        assertThat(launchIn(home, "deploy/chaos/target/lib/src/main/Made.java"))
                .doesNotContain("tidemark: building (once, a minute or two)…");
    }

    @Test
    void anArchiveThatCannotBeUsedIsPassedOverInSilence(@TempDir Path home) throws Exception {
        Path launcher = home.resolve("deploy/tidemark");
        Path archive = home.resolve("deploy/cli/target/faststart/services.jsa");
        Files.createDirectories(archive.getParent());
        Files.writeString(archive, "of another Java");
        Files.copy(HOME.resolve("deploy/tidemark"), launcher, StandardCopyOption.COPY_ATTRIBUTES);

        assertThat(launch(home, Map.of()))
                .containsSequence("-XX:SharedArchiveFile=" + archive.toRealPath(), "-Xlog:cds*=off");
    }

    /** The output in a checkout where one file is newer than what was built. */
    private List<String> launchIn(Path home, String newer) throws IOException, InterruptedException {
        Path launcher = home.resolve("deploy/tidemark");
        for (String built : List.of(
                "deploy/tidemark",
                "deploy/cli/target/lib/tidemark.jar",
                "deploy/broker/target/lib/local-broker.jar",
                "writer-service/a",
                "index-worker/a",
                "shared-model/a",
                "pom.xml",
                newer)) {
            Path file = home.resolve(built);
            Files.createDirectories(file.getParent());
            Files.copy(HOME.resolve("deploy/tidemark"), file, StandardCopyOption.REPLACE_EXISTING);
            Instant time = built.equals(newer) ? Instant.now().plusSeconds(60) : Instant.parse("2026-01-01T00:00:00Z");
            Files.setLastModifiedTime(file, FileTime.from(time));
        }
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Path maven = Files.writeString(java.resolve("bin/mvn"), "#!/bin/sh\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        String path = java.resolve("bin") + ":" + System.getenv("PATH");
        List<String> output = launch(home, Map.of("TIDEMARK_NO_BUILD", "", "PATH", path));
        Files.delete(home.resolve(newer));
        return output;
    }

    private List<String> launch(Map<String, String> environment) throws IOException, InterruptedException {
        return launch(HOME, environment);
    }

    private List<String> launch(Path home, Map<String, String> environment) throws IOException, InterruptedException {
        Path output = java.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "deploy/tidemark --version")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        builder.environment().put("JAVA_HOME", java.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            return Files.readAllLines(output);
        } finally {
            process.destroyForcibly();
        }
    }
}
