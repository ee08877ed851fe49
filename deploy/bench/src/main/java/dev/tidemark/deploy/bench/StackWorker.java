package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

import dev.tidemark.deploy.probe.MetricText;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.runtime.BoundedWait;

/**
 * The worker of a stack, ended and started again. Owned by the thread of the benchmark.
 *
 * @param beginsEmpty whether a start deletes all that the worker has
 */
record StackWorker(BenchStack stack, TidemarkTarget target, boolean beginsEmpty) {
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);
    /** A look costs the worker some 20 ms of the time that is measured; the baselines time themselves. */
    private static final Duration STEP = Duration.ofSeconds(1);
    /** Near the end, which is to be seen when it comes. */
    private static final Duration SHORT_STEP = Duration.ofMillis(100);

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * How fast a system built an index from a topic.
     *
     * @param perSecond changes a second between the first change and the last; starting the process is not in it
     * @param sinceStart from the start of the process until nothing was left
     */
    record Followed(double perSecond, Duration sinceStart) {}

    /**
     * The progress of a worker on its metrics page.
     *
     * @param applied how many changes it has applied since it began
     * @param reading whether it has had records from the topic
     */
    record WorkerPage(long applied, boolean reading) {
        static WorkerPage of(String page) {
            double applied = sum(page, "tidemark_events_applied_total");
            return new WorkerPage(
                    (long) applied, applied > 0 || sum(page, "tidemark_kafka_consumer_records_consumed_rate") > 0);
        }

        private static double sum(String page, String metric) {
            return MetricText.samples(page, metric, Map.of()).stream()
                    .flatMapToDouble(sample -> sample.value().stream())
                    .sum();
        }
    }

    /**
     * Writes changes until all are in the topic, and ends the worker. From then on the writer only sends the
     * definitions in force to a worker that begins with nothing.
     *
     * @param changes how many, over 200,000 rows
     * @return the worker, ended
     */
    static StackWorker behind(int changes, BenchStack stack) throws Exception {
        TidemarkTarget target = stack.tidemark();
        target.load(LongStream.range(0, changes).mapToObj(CustomerRow::ofChange));
        StackWorker worker = new StackWorker(stack, target, true);
        worker.end();
        return worker;
    }

    /** Starts the worker and follows all changes that it has not seen. */
    Followed follow(int changes) throws Exception {
        return follow(changes, this::begin, this::metrics, stack.clock());
    }

    /**
     * Starts a worker with changes before it that it has not seen. The rate counts from the last moment at which
     * nothing had been read: what the worker reads ahead before it applies counts as well.
     *
     * @param begin begins to start the worker, with as much as it is to have already; returns the moment of that
     * @param metrics returns the worker's metrics page; empty while it does not answer
     */
    static Followed follow(long changes, Callable<Instant> begin, Callable<String> metrics, Clock clock)
            throws Exception {
        Instant started = begin.call();
        Instant began = started;
        Instant last = started;
        long applied = 0;
        while (applied < changes) {
            WorkerPage page = WorkerPage.of(metrics.call());
            Instant now = clock.instant();
            began = page.reading() ? began : now;
            if (page.applied() > applied) {
                applied = page.applied();
                last = now;
                BoundedWait.rest(untilNextLook(Duration.between(began, now), applied, changes));
            } else if (now.isAfter(started.plus(PATIENCE))) {
                throw new BenchException("the worker applied " + applied + " of " + changes + " changes within "
                        + PATIENCE.toMinutes() + " minutes");
            } else {
                BoundedWait.rest(SHORT_STEP);
            }
        }
        double perSecond = applied * 1e9 / Duration.between(began, last).toNanos();
        return new Followed(perSecond, Duration.between(started, last));
    }

    /** Half of what is left at the pace so far, since the pace grows and the end must not be missed. */
    private static Duration untilNextLook(Duration sinceBegin, long applied, long changes) {
        Duration half = sinceBegin.multipliedBy(changes - applied).dividedBy(2 * applied);
        if (half.compareTo(SHORT_STEP) < 0) {
            return SHORT_STEP;
        }
        return half.compareTo(STEP) < 0 ? half : STEP;
    }

    /** Ends the worker, deletes its directory where it begins with nothing, and starts it. */
    private Instant begin() throws Exception {
        end();
        if (beginsEmpty) {
            new ScratchDirectory(stack.services().settings().directory(Role.WORKER)).close();
        }
        Instant began = stack.clock().instant();
        stack.services().child(Role.WORKER).start();
        return began;
    }

    private String metrics() throws InterruptedException {
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
    String reported(String file) {
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
    void end() throws InterruptedException {
        ChildProcess child = stack.services().child(Role.WORKER);
        child.requestEnd();
        if (!child.awaitEnd(END_PATIENCE)) {
            child.kill();
            child.awaitEnd(END_PATIENCE);
        }
    }
}
