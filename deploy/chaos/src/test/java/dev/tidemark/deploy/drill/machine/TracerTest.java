package dev.tidemark.deploy.drill.machine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

class TracerTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void knowsWhichFilesCouldNotBeSynced() throws Exception {
        requireStrace();
        String sync = "while :; do dd if=/dev/zero of=a.log bs=1 count=1 conv=fsync; sleep 0.05; done";
        Process process = new ProcessBuilder("sh", "-c", sync)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path log = directory.resolve("strace.txt");
        try (Tracer tracer = Tracer.failing(process.pid(), "fsync,fdatasync", List.of(), log)) {
            assertThat(BoundedWait.until(() -> tracer.hasFailed(".log"), Duration.ofSeconds(30), Duration.ofMillis(50)))
                    .isTrue();
            assertThat(tracer.hasFailed(".other")).isFalse();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void requireStrace() throws Exception {
        try {
            Tracer.require();
        } catch (MachineException e) {
            Assumptions.abort("there is no strace here: " + e.getMessage());
        }
    }
}
