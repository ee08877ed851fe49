package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Where a demo keeps everything: a directory that the user named, which stays, or a temporary one, which is removed when
 * the demo is over or interrupted.
 */
final class DemoDirectory {
    private static final long CHILDREN_SECONDS = 5;

    private final Path path;
    private final AtomicBoolean removable;
    private final AtomicBoolean interruptible = new AtomicBoolean(true);

    private DemoDirectory(Path path, boolean removable) {
        this.path = path;
        this.removable = new AtomicBoolean(removable);
    }

    static DemoDirectory at(@Nullable Path named) {
        if (named != null) {
            return new DemoDirectory(named, false);
        }
        try {
            return new DemoDirectory(Files.createTempDirectory("tidemark-demo-"), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    /** From now on it stays, because somebody will want to look at the logs. */
    void keep() {
        removable.set(false);
    }

    /** Removes it if it is temporary; once, whoever asks first. */
    void remove() {
        if (!removable.getAndSet(false)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(path)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("could not remove " + path + ": " + e.getMessage());
        }
    }

    /** Closes what uses it, then removes it. From now on nobody else removes it. */
    AutoCloseable removedAfter(AutoCloseable user) {
        interruptible.set(false);
        return () -> {
            user.close();
            remove();
        };
    }

    /** The same for a demo that is interrupted, whose children may still write there: ends them first. */
    void removeAfterInterruption() {
        if (!interruptible.get() || !removable.get()) {
            return;
        }
        List<ProcessHandle> children = ProcessHandle.current().children().toList();
        children.forEach(ProcessHandle::destroy);
        for (ProcessHandle child : children) {
            try {
                child.onExit()
                        .completeOnTimeout(child, CHILDREN_SECONDS, TimeUnit.SECONDS)
                        .join();
            } catch (CompletionException e) {
                child.destroyForcibly();
            }
        }
        remove();
    }
}
