package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.ServiceProcess;

/**
 * One child process, which may be started again after it ended. It inherits nothing but a pipe as standard input, held
 * open as long as this process lives; what it prints is appended to its log file.
 *
 * <p>Any thread may call any method; starts exclude each other.
 */
public final class ChildProcess {
    private static final String FAST_SHUTDOWN = "INT";
    private static final int NEVER_STARTED = -1;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
    private static final Duration STOP_STEP = Duration.ofMillis(5);

    private volatile ChildSpec spec;
    private volatile @Nullable Process process;
    private @Nullable Process guard;

    public ChildProcess(ChildSpec spec) {
        this.spec = spec;
    }

    public ChildId id() {
        return spec.id();
    }

    public ChildSpec spec() {
        return spec;
    }

    /** Starts in another way from the next start on; what it is and the directory stay. */
    void respecify(ChildSpec another) {
        spec = another;
    }

    /** Starts the child and writes its pid file; does nothing while it runs. */
    public synchronized void start() {
        if (isAlive()) {
            return;
        }
        ProcessBuilder builder = new ProcessBuilder(spec.command())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.logFile().toFile()));
        builder.environment().put(ServiceProcess.END_WITH_PARENT, "stdin");
        spec.workingDirectory().ifPresent(place -> builder.directory(place.toFile()));
        try {
            Process started = builder.start();
            process = started;
            Files.writeString(spec.pidFile(), started.pid() + System.lineSeparator());
            if (id().role() == Role.POSTGRESQL) {
                guard(started);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to start the " + id().label() + ", but " + e.getMessage(), e);
        }
    }

    /** That something is wrong with the child, with the end of its log. */
    StackException failure(String what) {
        String lines = LogTail.lastLines(spec.logFile(), 8);
        return new StackException("the " + id().label() + " " + what + "; its log, " + spec.logFile() + ", "
                + (lines.isEmpty() ? "is empty" : "ends with\n" + lines));
    }

    /** The running or last process; empty before the first start. */
    public Optional<ProcessHandle> handle() {
        return Optional.ofNullable(process).map(Process::toHandle);
    }

    public boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    /** The exit code of the last process, 128 + n after signal n; -1 while it runs and before the first start. */
    public int exitCode() {
        Process current = process;
        return current == null || current.isAlive() ? NEVER_STARTED : current.exitValue();
    }

    /**
     * Has a process end that does not look at its standard input: a guard sees this one end, and sends the signal.
     */
    private void guard(Process started) throws IOException {
        Process former = guard;
        if (former != null) {
            former.destroyForcibly();
        }
        String script = "read -r line; kill -" + FAST_SHUTDOWN + " " + started.pid();
        Process watching = new ProcessBuilder("sh", "-c", script).start();
        guard = watching;
        // The number may be given to another process.
        CompletableFuture<Process> unused =
                started.onExit().whenComplete((ended, failure) -> watching.destroyForcibly());
    }

    /** SIGTERM; for PostgreSQL SIGINT, because it waits for its clients otherwise. */
    public void requestEnd() {
        if (id().role() == Role.POSTGRESQL) {
            send(FAST_SHUTDOWN);
        } else {
            handle().ifPresent(ProcessHandle::destroy);
        }
    }

    /** Sends a signal, unless the process has ended. */
    public void send(String name) {
        try {
            if (isAlive()) {
                signal(name);
            }
        } catch (IllegalStateException e) {
            // It ended in the same moment.
        }
    }

    /** SIGKILL. */
    public void kill() {
        handle().ifPresent(ProcessHandle::destroyForcibly);
    }

    /**
     * Sends SIGSTOP: the process keeps its ports and files and does nothing. Where {@code /proc} exists, the method
     * returns only when the process has stopped, because a signal sent right after could overtake this one.
     */
    public void suspend() {
        signal("STOP");
        try {
            BoundedWait.until(this::isSuspended, STOP_PATIENCE, STOP_STEP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGCONT: undoes {@link #suspend()}. */
    public void resume() {
        signal("CONT");
    }

    /** Waits until the process has ended; true as well when it never started. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        Process current = process;
        return current == null || current.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Removes the pid file of an ended process. */
    public void forget() {
        try {
            Files.deleteIfExists(spec.pidFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isSuspended() {
        Path stat = Path.of(
                "/proc", handle().map(handle -> Long.toString(handle.pid())).orElse("none"), "stat");
        try {
            // The state follows the name of the program, which stands in parentheses.
            return !Files.exists(stat) || Files.readString(stat).contains(") T ");
        } catch (IOException e) {
            return true;
        }
    }

    private void signal(String name) {
        Process current = process;
        if (current == null || !current.isAlive()) {
            throw new IllegalStateException("Expected the " + id().label() + " to run, but it does not");
        }
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(current.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " of the " + id().label() + " failed with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending a signal", e);
        }
    }
}
