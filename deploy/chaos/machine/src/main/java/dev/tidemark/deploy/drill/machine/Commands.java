package dev.tidemark.deploy.drill.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Runs small programs of the machine. */
final class Commands {
    private static final int PATIENCE_SECONDS = 20;

    private Commands() {}

    /**
     * Runs one to its end.
     *
     * @throws MachineException when there is no such program, or it does not succeed in time
     */
    static void run(String... command) throws MachineException, InterruptedException {
        String text = String.join(" ", command);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            byte[] said = process.getInputStream().readAllBytes();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new MachineException(text + " does not end");
            }
            if (process.exitValue() != 0) {
                throw new MachineException(text + " failed: " + new String(said, StandardCharsets.UTF_8).strip());
            }
        } catch (IOException e) {
            throw new MachineException(text + " cannot be run: " + e.getMessage());
        }
    }

    /** Runs one that this machine is known to allow. */
    static void mustRun(String... command) {
        try {
            run(command);
        } catch (MachineException e) {
            throw new IllegalStateException("Expected a command that works, but " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
