package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import dev.tidemark.runtime.PrivateFiles;

/**
 * Where a demo keeps everything: a directory that the user named, which stays, or a temporary one, which is removed
 * when the demo is over or interrupted.
 */
final class DemoDirectory {
    private static final Duration CHILDREN_PATIENCE = Duration.ofSeconds(5);

    private final Path path;
    private final AtomicReference<Fate> fate;

    /** Whether the directory stays after the demo; decided once. */
    private enum Fate {
        TEMPORARY,
        STAYS,
        GOING
    }

    private DemoDirectory(Path path, Fate fate) {
        this.path = path;
        this.fate = new AtomicReference<>(fate);
    }

    static DemoDirectory at(@Nullable Path named) {
        if (named != null) {
            return new DemoDirectory(named, Fate.STAYS);
        }
        try {
            return new DemoDirectory(Files.createTempDirectory("tidemark-demo-"), Fate.TEMPORARY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    /** Keeps the directory, because its logs will be wanted; returns false when the removal has begun already. */
    boolean keep() {
        fate.compareAndSet(Fate.TEMPORARY, Fate.STAYS);
        return fate.get() == Fate.STAYS;
    }

    /** Removes it if it is temporary. */
    void remove() {
        if (fate.compareAndSet(Fate.TEMPORARY, Fate.GOING)) {
            delete();
        }
    }

    /** Closes what uses it, then removes it; from now on an interruption leaves that to the result. */
    AutoCloseable removedAfter(AutoCloseable user) {
        boolean temporary = fate.compareAndSet(Fate.TEMPORARY, Fate.GOING);
        return () -> {
            user.close();
            if (temporary) {
                delete();
            }
        };
    }

    /** The same for a demo that is interrupted, whose children may still write there: ends them first. */
    void removeAfterInterruption() {
        // First of all, because the demo itself takes the end of its children for a failure.
        if (!fate.compareAndSet(Fate.TEMPORARY, Fate.GOING)) {
            return;
        }
        end(ProcessHandle.current().children().toList(), CHILDREN_PATIENCE);
        delete();
    }

    /** Ends processes, and kills those that have not ended when the patience is over. */
    static void end(List<ProcessHandle> children, Duration patience) {
        children.forEach(ProcessHandle::destroy);
        for (ProcessHandle child : children) {
            try {
                child.onExit()
                        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            } catch (CompletionException e) {
                child.destroyForcibly();
                child.onExit()
                        .completeOnTimeout(child, patience.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            }
        }
    }

    private void delete() {
        try {
            PrivateFiles.removeDirectory(path);
        } catch (IOException | UncheckedIOException e) {
            System.err.println("could not remove " + path + ": " + e.getMessage());
        }
    }
}
