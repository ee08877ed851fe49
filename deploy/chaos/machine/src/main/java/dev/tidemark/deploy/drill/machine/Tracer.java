package dev.tidemark.deploy.drill.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Makes a process fail at what it asks of the disk, by strace. */
public final class Tracer implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 5;

    private final Process strace;
    private final Path log;

    private Tracer(Process strace, Path log) {
        this.strace = strace;
        this.log = log;
    }

    /** Makes sure that there is strace. */
    public static void require() throws MachineException, InterruptedException {
        Commands.run("strace", "-V");
    }

    /**
     * From now on such calls of a process fail with an error of the device.
     *
     * @param calls names of system calls, with commas
     * @param files only calls about these fail; all where there are none
     * @param log file for what strace prints, which is overwritten
     * @throws MachineException when there is no strace
     */
    public static Tracer failing(long pid, String calls, List<Path> files, Path log) throws MachineException {
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-q", "-y", "-p", Long.toString(pid)));
        files.forEach(file -> command.addAll(List.of("-P", file.toString())));
        command.addAll(List.of("-e", "trace=" + calls, "-e", "inject=" + calls + ":error=EIO"));
        try {
            Process strace = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new Tracer(strace, log);
        } catch (IOException e) {
            throw new MachineException("strace cannot be run: " + e.getMessage());
        }
    }

    /** Whether a call about a file whose name ends so has failed; false where strace could not do its work. */
    public boolean hasFailed(String suffix) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.contains(suffix + ">") && line.contains("(INJECTED)"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Calls succeed again. */
    @Override
    public void close() {
        strace.destroy();
        try {
            if (!strace.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                strace.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
