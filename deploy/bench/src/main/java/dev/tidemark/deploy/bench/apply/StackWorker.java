package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.TidemarkTarget;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;

/** The worker of a local stack, which begins with nothing. Owned by the thread of the benchmark. */
public final class StackWorker implements TidemarkIndexer.Worker {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final LocalStack stack;
    private final TidemarkTarget target;
    private final Clock clock;

    public StackWorker(LocalStack stack, TidemarkTarget target, Clock clock) {
        this.stack = stack;
        this.target = target;
        this.clock = clock;
    }

    /** Ends it and deletes all that it has before. */
    @Override
    public Instant begin() throws IOException, InterruptedException {
        end(Role.WORKER);
        delete(stack.settings().directory(Role.WORKER));
        return start();
    }

    /** The same worker, ended before, which begins with all that it has. */
    public TidemarkIndexer.Worker keepingAll() {
        return new TidemarkIndexer.Worker() {
            @Override
            public Instant begin() throws IOException {
                return start();
            }

            @Override
            public String metrics() throws InterruptedException {
                return StackWorker.this.metrics();
            }
        };
    }

    @Override
    public String metrics() throws InterruptedException {
        try {
            return target.workerMetrics();
        } catch (BenchException e) {
            // It is starting.
            return "";
        }
    }

    /** Returns what the system reports of the worker's input and output; empty where it does not. */
    String io() {
        Path file = Path.of(
                "/proc",
                stack.child(Role.WORKER)
                        .handle()
                        .map(handle -> Long.toString(handle.pid()))
                        .orElse("none"),
                "io");
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    /** Ends a child for good, so that others have the machine. */
    public void end(Role role) throws InterruptedException {
        ChildProcess child = stack.child(role);
        child.requestEnd();
        if (!child.awaitEnd(PATIENCE)) {
            child.kill();
            child.awaitEnd(PATIENCE);
        }
    }

    private Instant start() throws IOException {
        Instant began = clock.instant();
        stack.child(Role.WORKER).start();
        return began;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
