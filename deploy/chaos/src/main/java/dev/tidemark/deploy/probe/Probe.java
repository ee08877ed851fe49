package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.runtime.Agent;
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

    private final CanaryRows rows;
    private final ProbeTarget target;
    private final ProbeLog log;
    private final List<AnswerPoller> pollers = new ArrayList<>();
    private final ClockPoller clockPoller;
    private final List<AgentRunner> writers = new ArrayList<>();
    private final List<AgentRunner> readers = new ArrayList<>();
    private volatile boolean paused;
    private boolean stopped;

    private Probe(CanaryRows rows, ProbeTarget target, ProbeSettings settings, Clock clock) {
        this.rows = rows;
        this.target = target;
        List<WorkerTarget> workers = target.workers();
        this.log = new ProbeLog(rows.table().partitions(), workers.size(), settings.tolerance(), clock);
        Duration often = settings.interval().dividedBy(QUERIES_PER_INTERVAL);
        Duration queries = often.compareTo(LEAST_QUERY_INTERVAL) < 0 ? LEAST_QUERY_INTERVAL : often;
        for (int i = 0; i < workers.size(); i++) {
            pollers.add(new AnswerPoller(i, workers.get(i), rows, log, clock, queries));
        }
        this.clockPoller = new ClockPoller(target, log, clock, settings.interval());
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
        TableDefinition table = ProbedTables.read(target.tables()).table(settings.table());
        String run = "probe-" + Long.toString(clock.millis(), Character.MAX_RADIX);
        CanaryRows rows = CanaryRows.choose(table, ProbedTables.index(table, settings.index()), run);
        Probe probe = new Probe(rows, target, settings, clock);
        probe.startThreads(settings.interval(), clock);
        return probe;
    }

    /** What was found so far; complete after {@link #stop()}. */
    public ProbeReport report() {
        return log.report(rows.table().name(), rows.index().qualifiedName());
    }

    /**
     * Records that the writer's data was put back to an older copy; the drill calls this after it did so. For any
     * thread.
     *
     * @param copied when it was copied
     * @param until when the writer had ended
     */
    public void lost(Instant copied, Instant until) {
        log.lost(copied, until);
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
            for (AnswerPoller poller : pollers) {
                poller.doWork();
            }
            clockPoller.read();
            log.finish();
        }
        ProbeReport report = report();
        deleteRows();
        return report;
    }

    /** As {@link #stop()}, without a report, and leaves the rows where they are. */
    @Override
    public void close() {
        paused = true;
        closeAll(writers);
        closeAll(readers);
    }

    private void startThreads(Duration interval, Clock clock) throws InterruptedException {
        // Before anything is committed, so that nothing is older than the first reading.
        clockPoller.read();
        int partitions = rows.table().partitions();
        int threads = Math.min(partitions, MOST_WRITERS);
        for (int i = 0; i < threads; i++) {
            int first = i;
            List<Integer> mine = IntStream.range(0, partitions)
                    .filter(partition -> partition % threads == first)
                    .boxed()
                    .toList();
            Agent writer =
                    new CanaryWriter("probe-writer-" + i, rows, mine, target, log, clock, interval, () -> paused);
            writers.add(AgentRunner.start(writer, Duration.ZERO));
        }
        readers.add(AgentRunner.start(clockPoller, Duration.ZERO));
        pollers.forEach(poller -> readers.add(AgentRunner.start(poller, Duration.ZERO)));
        for (StalenessPoller.Question question : questions()) {
            String name = "probe-" + question.sources().get(0).name().toLowerCase(Locale.ROOT);
            readers.add(AgentRunner.start(new StalenessPoller(name, question, log, clock, interval), Duration.ZERO));
        }
    }

    private List<StalenessPoller.Question> questions() {
        List<StalenessPoller.Question> questions = new ArrayList<>();
        questions.add(new ProbeQueries.WriterMetrics(target, rows.index()));
        for (WorkerTarget worker : target.workers()) {
            questions.add(new ProbeQueries.WorkerMetrics(worker, rows.index()));
            questions.add(new ProbeQueries.LagSummary(worker, rows.index()));
        }
        return questions;
    }

    private void requireHealthy() {
        Stream.concat(writers.stream(), readers.stream())
                .flatMap(runner -> runner.failure().stream())
                .findFirst()
                .ifPresent(failure -> {
                    throw new IllegalStateException(
                            "The prober itself failed, so its report is worth nothing", failure);
                });
    }

    private void deleteRows() throws InterruptedException {
        for (int partition = 0; partition < rows.table().partitions(); partition++) {
            try {
                target.delete(rows.table().name(), rows.key(partition));
            } catch (NoAnswerException e) {
                // A writer that is away keeps the rows; they are small, and named after their purpose.
                return;
            }
        }
    }

    private static void closeAll(List<AgentRunner> runners) {
        // Longer than one request, so that none is broken off.
        runners.forEach(runner -> runner.close(PATIENCE.plusSeconds(1)));
    }
}
