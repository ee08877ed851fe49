package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.runtime.AgentRunner;

/**
 * A running prober. It continues in any state of the services until it is stopped. Owned by the thread that started it;
 * {@link #report()} and {@link #pauseWrites(boolean)} may be called by any thread.
 */
public final class Probe implements AutoCloseable {
    /** How long one request may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration LEAST_QUERY_INTERVAL = Duration.ofMillis(5);
    private static final int QUERIES_PER_INTERVAL = 5;
    private static final int MOST_WRITERS = 8;

    private final ProbeSteps steps;
    private final List<AgentRunner> threads = new ArrayList<>();
    private volatile boolean paused;
    private boolean stopped;

    private Probe(ProbeSteps steps) {
        this.steps = steps;
    }

    /**
     * Starts to write and to watch.
     *
     * @param clock must not jump while the prober runs
     * @throws CannotProbeException when the table or index is absent or cannot be used
     * @throws NoAnswerException when the writer does not say what tables it has
     */
    public static Probe start(ProbeTarget target, ProbeSettings settings, Clock clock)
            throws CannotProbeException, NoAnswerException, InterruptedException {
        TableDefinition table = ProbedTables.table(ProbeTarget.json(target.writer(), "/v1/tables"), settings.table());
        String run = "probe-" + Long.toString(clock.millis(), Character.MAX_RADIX);
        CanaryRows rows = CanaryRows.choose(table, ProbedTables.index(table, settings.index()), run);
        StalenessJudge judge = new StalenessJudge(
                new CanaryLedger(table.partitions()), target.workers().size(), settings.tolerance(), clock.instant());
        Probe probe = new Probe(new ProbeSteps(rows, target, judge, clock));
        probe.startThreads(settings.interval());
        return probe;
    }

    /** What was found so far; complete after {@link #stop()}. */
    public ProbeReport report() {
        CanaryRows rows = steps.rows();
        Instant now = steps.clock().instant();
        return steps.judge().report(rows.table().name(), rows.index().qualifiedName(), now);
    }

    /**
     * Records that the writer's data was put back to an older copy; the drill calls this after it did so. For any
     * thread.
     *
     * @param copied when it was copied
     * @param until when the writer had ended
     */
    public void lost(Instant copied, Instant until) {
        steps.judge().lost(copied, until);
    }

    /** Stops writing for a while, to watch idle indexes; what is written stays owed. */
    public void pauseWrites(boolean pause) {
        paused = pause;
    }

    /**
     * Stops, deletes the prober's rows where that is possible, and says what was found.
     *
     * @throws IllegalStateException when a thread of the prober failed
     */
    public ProbeReport stop() throws InterruptedException {
        if (!stopped) {
            stopped = true;
            close();
            requireHealthy();
            // The last claims need one more answer to be judged, and that one a reading of the clock.
            for (int worker = 0; worker < steps.target().workers().size(); worker++) {
                steps.query(worker);
            }
            steps.readClock();
            steps.judge().finish(steps.clock().instant());
        }
        ProbeReport report = report();
        deleteRows();
        return report;
    }

    /** As {@link #stop()}, without a report, and leaves the rows where they are. */
    @Override
    public void close() {
        paused = true;
        // Longer than one request, so that none is broken off. Writers end first.
        threads.forEach(thread -> thread.close(PATIENCE.plusSeconds(1)));
    }

    private void startThreads(Duration interval) throws InterruptedException {
        // Before anything is committed, so that nothing is older than the first reading.
        steps.readClock();
        int writers = Math.min(steps.rows().table().partitions(), MOST_WRITERS);
        for (int i = 0; i < writers; i++) {
            int first = i;
            AtomicLong value = new AtomicLong();
            start("probe-writer-" + i, interval, () -> write(first, writers, value.incrementAndGet()));
        }
        start("probe-clock", interval, steps::readClock);
        ask(StalenessQuestion.WRITER_METRICS, steps.target().writer(), interval);
        Duration often = interval.dividedBy(QUERIES_PER_INTERVAL);
        Duration queries = often.compareTo(LEAST_QUERY_INTERVAL) < 0 ? LEAST_QUERY_INTERVAL : often;
        List<ServiceCaller> workers = steps.target().workers();
        for (int i = 0; i < workers.size(); i++) {
            int worker = i;
            start("probe-answers-" + i, queries, () -> steps.query(worker));
            ask(StalenessQuestion.WORKER_METRICS, workers.get(i), interval);
            ask(StalenessQuestion.LAG_SUMMARY, workers.get(i), interval);
        }
    }

    private void ask(StalenessQuestion question, ServiceCaller service, Duration interval) {
        String name = question.sources().get(0).name().toLowerCase(Locale.ROOT);
        start("probe-" + name, interval, () -> steps.ask(question, service));
    }

    private void start(String name, Duration interval, Poller.Step step) {
        threads.add(AgentRunner.start(new Poller(name, steps.clock(), interval, step), Duration.ZERO));
    }

    /** Writes a value into the row of every n-th partition. */
    private void write(int first, int nth, long value) throws InterruptedException {
        for (int partition = first; partition < steps.rows().table().partitions() && !paused; partition += nth) {
            steps.write(partition, value);
        }
    }

    private void requireHealthy() {
        threads.stream()
                .flatMap(thread -> thread.failure().stream())
                .findFirst()
                .ifPresent(failure -> {
                    throw new IllegalStateException(
                            "The prober itself failed, so its report is worth nothing", failure);
                });
    }

    private void deleteRows() throws InterruptedException {
        CanaryRows rows = steps.rows();
        try {
            for (int partition = 0; partition < rows.table().partitions(); partition++) {
                steps.target().delete(rows.table().name(), rows.key(partition));
            }
        } catch (NoAnswerException e) {
            // A writer that is away keeps the rows; they are small, and named after their purpose.
        }
    }
}
