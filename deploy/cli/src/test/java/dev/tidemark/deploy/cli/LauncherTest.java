package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private List<String> launch(Map<String, String> environment) throws IOException, InterruptedException {
        Path output = java.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "deploy/tidemark --version")
                .directory(HOME.toFile())
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
