package dev.tidemark.deploy.drill.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes a process fail at what it asks of the disk, by strace. */
public final class Tracer implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 5;

    private final Process strace;

    private Tracer(Process strace) {
        this.strace = strace;
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
     * @throws MachineException when there is no strace
     */
    public static Tracer failing(long pid, String calls, List<Path> files) throws MachineException {
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-q", "-p", Long.toString(pid)));
        files.forEach(file -> command.addAll(List.of("-P", file.toString())));
        command.addAll(List.of("-e", "trace=" + calls, "-e", "inject=" + calls + ":error=EIO"));
        try {
            return new Tracer(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new MachineException("strace cannot be run: " + e.getMessage());
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
