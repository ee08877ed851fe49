package dev.tidemark.deploy.probe;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowVersion;
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
     * @throws IOException when the writer does not say what tables it has
     */
    public static Probe start(ProbeTarget target, ProbeSettings settings, Clock clock)
            throws CannotProbeException, IOException, InterruptedException {
        TableDefinition table = CanaryRows.table(target.writer().json("/v1/tables"), settings.table());
        String run = "probe-" + Long.toString(clock.millis(), Character.MAX_RADIX);
        IndexDefinition index = CanaryRows.index(table, settings.index());
        int partitions =
                index.isGlobal() ? index.partitions() : answering(index, target).orElse(table.partitions());
        CanaryRows rows = CanaryRows.choose(table, index, partitions, run);
        StalenessJudge judge = new StalenessJudge(
                new CanaryLedger(rows.count()), target.workers().size(), settings.tolerance(), clock.instant());
        Probe probe = new Probe(new ProbeSteps(rows, target, judge, clock));
        probe.startThreads(settings.interval());
        return probe;
    }

    /** How many partitions answer for a local index: those of before while its table grows or shrinks. */
    private static OptionalInt answering(IndexDefinition index, ProbeTarget target) throws InterruptedException {
        for (ServiceCaller worker : target.workers()) {
            try {
                JsonNode found = worker.json("/v1/indexes/" + index.qualifiedName());
                return OptionalInt.of(found.path("partitions").asInt());
            } catch (IOException e) {
                // Another one may answer; without any, the rows are chosen by the catalog.
            }
        }
        return OptionalInt.empty();
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
        int writers = Math.min(steps.rows().count(), MOST_WRITERS);
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

    private void start(String name, Duration interval, Agent.Step step) {
        threads.add(AgentRunner.start(Agent.resting(name, step), interval));
    }

    /** Writes a value into the row of every n-th partition. */
    private void write(int first, int nth, long value) throws InterruptedException {
        for (int partition = first; partition < steps.rows().count() && !paused; partition += nth) {
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
            for (int partition = 0; partition < rows.count(); partition++) {
                steps.delete(partition);
            }
        } catch (IOException e) {
            // A writer that is away keeps the rows; they are small, and named after their purpose.
        }
    }

    /**
     * What to watch and how closely.
     *
     * @param table to write into
     * @param index to ask; empty for the first index of the table
     * @param interval between two writes of one row and between two samples of one source; at least 10 ms. Shorter
     *     finds more and costs more
     * @param tolerance how much too small a claim may be: one sampling period of the services
     */
    public record ProbeSettings(String table, String index, Duration interval, Duration tolerance) {
        /** The table that is watched when no other is named. */
        public static final String TABLE = "canary";

        /** Usual interval, and usual tolerance. */
        public static final Duration INTERVAL = Duration.ofMillis(100);

        private static final Duration LEAST_INTERVAL = Duration.ofMillis(10);

        public ProbeSettings {
            if (interval.compareTo(LEAST_INTERVAL) < 0 || tolerance.isNegative()) {
                throw new IllegalArgumentException(
                        "Expected an interval of at least 10 ms and a tolerance of at least 0," + " but got " + interval
                                + " and " + tolerance);
            }
        }

        /** The usual table, interval and tolerance. */
        public static ProbeSettings usual() {
            return new ProbeSettings(TABLE, "", INTERVAL, INTERVAL);
        }
    }

    /** The requests of a prober; each reports its result to the judge. For any thread. */
    record ProbeSteps(CanaryRows rows, ProbeTarget target, StalenessJudge judge, Clock clock) {
        /** Writes a value into the row of a partition. */
        void write(int partition, long value) throws InterruptedException {
            Instant invoked = clock.instant();
            try {
                Reply reply = send("PUT", partition, rows.row(partition, value));
                if (reply.ok()) {
                    judge.acknowledged(new CanaryLedger.Canary(partition, version(reply), invoked, clock.instant()));
                } else {
                    judge.notAcknowledged(invoked, reply.status() / 100 == 4);
                }
            } catch (IOException e) {
                judge.notAcknowledged(invoked, e instanceof ConnectException);
            }
        }

        private static RowVersion version(Reply reply) throws IOException {
            try {
                return RowVersion.parse(reply.json().path("version").asText());
            } catch (IllegalArgumentException e) {
                throw new IOException("expected the version of a write, but got " + reply.body(), e);
            }
        }

        /** Deletes the row of a partition. */
        void delete(int partition) throws IOException, InterruptedException {
            send("DELETE", partition, MissingNode.getInstance()).require("a delete");
        }

        private Reply send(String method, int partition, JsonNode body) throws IOException, InterruptedException {
            return target.writer().write(method, rows.table().name(), rows.key(partition), body);
        }

        /** Reads the writer's commit clock; does nothing where the writer does not answer. */
        void readClock() throws InterruptedException {
            Instant asked = clock.instant();
            try {
                Instant shown = target.writer().commitClock();
                judge.clockRead(asked, clock.instant(), shown);
            } catch (IOException e) {
                // What an answer says in that clock's time is not judged meanwhile, and counted as such.
            }
        }

        /**
         * Asks one worker for the prober's rows, even for those of some partitions only.
         *
         * @param worker which worker, counted from 0
         */
        void query(int worker) throws InterruptedException {
            Instant asked = clock.instant();
            try {
                String path =
                        ServiceCaller.entriesOf(rows.index().qualifiedName(), rows.query()) + "&allow_partial=true";
                JsonNode answer = target.workers().get(worker).json(path);
                judge.saw(observation(worker, answer, asked, clock.instant()));
            } catch (IOException e) {
                judge.queryUnanswered(worker, asked);
            }
        }

        /** Asks a service how stale the index is. */
        void ask(StalenessQuestion question, ServiceCaller service) throws InterruptedException {
            Instant asked = clock.instant();
            try {
                List<StalenessQuestion.Reading> readings = question.ask(service, rows.index());
                Instant answered = clock.instant();
                readings.forEach(one -> judge.claimed(new StalenessJudge.ReportedStaleness(
                        one.source(), one.partitions(), asked, answered, one.seconds())));
            } catch (IOException e) {
                question.sources().forEach(judge::unanswered);
            }
        }

        private StalenessJudge.Observation observation(int worker, JsonNode answer, Instant asked, Instant answered)
                throws IOException {
            JsonNode freshness = answer.path("freshness");
            JsonNode staleness = freshness.path("stalenessMs");
            Set<Integer> missing = new HashSet<>();
            freshness.path("missingPartitions").forEach(partition -> missing.add(partition.asInt()));
            boolean moved = rows.moved(answer);
            judge.moved(moved);
            if (moved && !missing.isEmpty()) {
                throw new IOException("partitions are missing that are not known");
            }
            try {
                return new StalenessJudge.Observation(
                        worker,
                        asked,
                        answered,
                        rows.visible(answer),
                        missing,
                        staleness.isNumber() ? OptionalDouble.of(staleness.asDouble() / 1e3) : OptionalDouble.empty(),
                        Optional.of(freshness.path("completeUpTo").asText(""))
                                .filter(text -> !text.isEmpty() && !text.equals("null"))
                                .map(Instant::parse));
            } catch (DateTimeException | IllegalArgumentException e) {
                throw new IOException("the worker answered a query in a way that is not understood", e);
            }
        }
    }

    /** The table or index is absent, or of a kind that the prober cannot use. The message says what to do. */
    public static final class CannotProbeException extends Exception {
        private static final long serialVersionUID = 1L;

        public CannotProbeException(String message) {
            super(message);
        }
    }
}
