package dev.tidemark.deploy.e2e.running;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StackException;

import static org.assertj.core.api.Assertions.assertThat;

/** Catalogs brought in force by {@code tidemark apply}, as a person runs it. */
public final class AppliedCatalog {
    private static final long PATIENCE_SECONDS = 120;

    private AppliedCatalog() {}

    /**
     * Runs the command, which must succeed.
     *
     * @param output a file for what it says
     * @param more options
     * @return what it said
     */
    public static String apply(StackUnderTest stack, Path file, Path output, String... more) throws Exception {
        Process process = begin(stack, stack.stack().workerUrl(), file, output, more);
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("apply ends; so far it said %s", Files.readString(output))
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts the command. */
    public static Process begin(StackUnderTest stack, URI worker, Path file, Path output, String... more)
            throws IOException, StackException {
        List<String> command = new ArrayList<>(List.of(
                Installation.locate().home().resolve("deploy/tidemark").toString(),
                "apply",
                "-f",
                file.toString(),
                "--yes",
                "--writer",
                stack.stack().writerUrl().toString(),
                "--worker",
                worker.toString()));
        command.addAll(List.of(more));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        // The build that runs this test must not be started by it.
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        return builder.start();
    }
}
