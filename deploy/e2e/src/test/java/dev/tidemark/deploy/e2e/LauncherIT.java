package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StackException;

import static org.assertj.core.api.Assertions.assertThat;

@Execution(ExecutionMode.CONCURRENT)
final class LauncherIT {
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    Path elsewhere = Path.of("");

    /** What a command left behind. */
    private record Outcome(int code, String output) {}

    @Test
    void runsThroughASymbolicLinkFromAnyDirectory() throws Exception {
        Path link = Files.createSymbolicLink(elsewhere.resolve("tm"), launcher());
        Path second = Files.createSymbolicLink(elsewhere.resolve("tm2"), Path.of("tm"));

        assertThat(run(Map.of(), link, "--version").output()).startsWith("tidemark ");
        assertThat(run(Map.of(), second, "--version").code()).isZero();
    }

    @Test
    void handsExitCodesOn() throws Exception {
        assertThat(run(Map.of(), launcher(), "query").code()).isEqualTo(2);
        assertThat(run(Map.of(), launcher(), "lag", "--worker", "http://127.0.0.1:1")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void keepsUnicodeInArgumentsWhateverTheLocaleIs() throws Exception {
        assertThat(run(Map.of("LC_ALL", "C"), launcher(), "load", "films", "Amélie.ndjson")
                        .output())
                .contains("Amélie.ndjson");
    }

    @Test
    void refusesAnOldJavaInOneSentence() throws Exception {
        Path home = elsewhere.resolve("old");
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        Path java = Files.writeString(home.resolve("bin/java"), "#!/bin/sh\nexit 9\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();

        Outcome outcome = run(Map.of("JAVA_HOME", home.toString()), launcher(), "--version");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.output()).contains("java 17 or newer is needed").contains("is version 11");
    }

    private Outcome run(Map<String, String> environment, Path program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Path output = elsewhere.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(elsewhere.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // The build that runs this test must not be started by it.
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path launcher() throws StackException {
        return Installation.locate().home().resolve("deploy/tidemark");
    }
}
