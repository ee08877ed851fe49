package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.TidemarkTarget;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;

/** The worker of a stack, ended and started again. Owned by the thread of the benchmark. */
public final class StackWorker implements TidemarkIndexer.Worker {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final BenchStack stack;
    private final TidemarkTarget target;
    private final boolean beginsEmpty;

    /**
     * The worker of a stack.
     *
     * @param beginsEmpty whether a start deletes all that the worker has
     */
    public StackWorker(BenchStack stack, boolean beginsEmpty) {
        this.stack = stack;
        this.target = stack.target();
        this.beginsEmpty = beginsEmpty;
    }

    /**
     * Writes changes until all are in the topic, and ends the worker. From then on the writer only sends the
     * definitions in force to a worker that begins with nothing.
     *
     * @param changes how many, over 200,000 rows
     * @return the worker, ended
     */
    static StackWorker behind(int changes, BenchStack stack) throws BenchException, InterruptedException {
        stack.table().load(LongStream.range(0, changes).mapToObj(CustomerRow::ofChange));
        StackWorker worker = new StackWorker(stack, true);
        worker.end();
        return worker;
    }

    /** Starts the worker and follows all changes that it has not seen. */
    public TopicIndexer.Followed follow(int changes) throws BenchException, IOException, InterruptedException {
        return new TidemarkIndexer(changes, this, stack.clock()).follow(stack.directory());
    }

    /** Does the same and ends the worker. */
    TopicIndexer.Followed followAndEnd(int changes) throws BenchException, IOException, InterruptedException {
        TopicIndexer.Followed followed = follow(changes);
        end();
        return followed;
    }

    /** Ends the worker, deletes its directory where it begins with nothing, and starts it. */
    @Override
    public Instant begin() throws IOException, InterruptedException {
        end();
        if (beginsEmpty) {
            new ScratchDirectory(stack.services().settings().directory(Role.WORKER)).close();
        }
        Instant began = stack.clock().instant();
        stack.services().child(Role.WORKER).start();
        return began;
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

    /**
     * Returns what the system reports of the worker's process; empty where it does not.
     *
     * @param file below the directory of the process in {@code /proc}
     */
    public String reported(String file) {
        String pid = stack.services()
                .child(Role.WORKER)
                .handle()
                .map(handle -> Long.toString(handle.pid()))
                .orElse("none");
        try {
            return Files.readString(Path.of("/proc", pid, file));
        } catch (IOException e) {
            return "";
        }
    }

    /** Ends the process for good, so that others have the machine. */
    public void end() throws InterruptedException {
        ChildProcess child = stack.services().child(Role.WORKER);
        child.requestEnd();
        if (!child.awaitEnd(PATIENCE)) {
            child.kill();
            child.awaitEnd(PATIENCE);
        }
    }
}
