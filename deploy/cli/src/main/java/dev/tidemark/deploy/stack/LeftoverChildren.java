package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import dev.tidemark.runtime.BoundedWait;

/**
 * Children of an earlier stack in the same directory, which was killed a moment ago: they end by themselves as soon as
 * they notice, and hold ports and directories until then.
 */
final class LeftoverChildren {
    private static final Duration STEP = Duration.ofMillis(50);

    private LeftoverChildren() {}

    /** Waits until no process named by a pid file runs, or the patience is over. */
    static void awaitEnd(Path data, Duration patience) throws InterruptedException {
        for (Role role : Role.values()) {
            Optional<ProcessHandle> left = named(data.resolve(role.label() + ".pid"));
            if (left.isPresent()) {
                BoundedWait.until(() -> !left.get().isAlive(), patience, STEP);
            }
        }
    }

    /** The process a pid file names, if it runs java: the number may have been given to another program since. */
    private static Optional<ProcessHandle> named(Path pidFile) {
        try {
            return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip()))
                    .filter(handle -> handle.info().command().orElse("").endsWith("java"));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
