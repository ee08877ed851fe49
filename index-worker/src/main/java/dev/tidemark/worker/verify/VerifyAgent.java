package dev.tidemark.worker.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.verify.VerifySchedule.Due;
import dev.tidemark.worker.verify.VerifySchedule.Reason;

/** Does one pass after another on the thread {@code verify}: first the orders, then what the schedule selects. */
public final class VerifyAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(VerifyAgent.class);

    private final VerifyJobs jobs;
    private final Shards shards;
    private final VerifySchedule schedule;
    private final Verifier verifier;
    private final Clock clock;
    /** Why the indexes of a table could not be compared, last. */
    private final Map<String, String> reasons = new HashMap<>();

    /**
     * An agent that has looked at nothing yet.
     *
     * @param memory for what a pass holds
     * @param verifyInterval how long after one unasked pass the next one begins; zero for never
     */
    public VerifyAgent(
            VerifyJobs jobs,
            Shards shards,
            FactReader facts,
            MemoryBudget.Part memory,
            VerifyTotals totals,
            Duration verifyInterval,
            Clock clock) {
        this.jobs = jobs;
        this.shards = shards;
        this.schedule = new VerifySchedule(shards, verifyInterval, clock.instant());
        this.verifier = new Verifier(facts, memory, totals, clock);
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "verify";
    }

    @Override
    public int doWork() throws InterruptedException {
        verifier.totals().retain(shard -> shards.find(shard).isPresent());
        Optional<VerifyJob> job = jobs.take();
        if (job.isPresent()) {
            run(job.get());
            return 1;
        }
        Optional<Due> due = schedule.next(clock.instant());
        if (due.isPresent()) {
            boolean decided = attempt(due.get());
            schedule.attempted(due.get(), decided, clock.instant());
        }
        return due.isPresent() ? 1 : 0;
    }

    private void run(VerifyJob job) throws InterruptedException {
        VerifySpec order = job.order();
        List<DesiredTable> tables = shards.definitions().tables().stream()
                .filter(table -> DerivedTable.base(table.name()).equals(order.table()))
                .toList();
        if (tables.isEmpty()) {
            job.is(new JobState.Failed("there is no table " + order.table() + " any more"));
            return;
        }
        List<VerifyRequest> requests = tables.stream()
                .filter(table -> !shards.of(table.definition()).isEmpty())
                .map(table -> new VerifyRequest(table.definition(), schedule.whole(table, order.index()), order.mode()))
                .filter(request -> !request.generations().isEmpty())
                .toList();
        if (requests.isEmpty()) {
            job.is(new JobState.Failed("nothing of it is here that is built and open"));
            return;
        }
        try {
            job.is(run(requests, order.repair(), progress(job, rows(requests))).beside(lacking(tables, order)));
        } catch (ShardDamagedException e) {
            rebuild(e);
            job.is(new JobState.Failed(String.valueOf(e.getMessage())));
        } catch (CannotVerifyException | RuntimeException e) {
            LOGGER.info("Job {} failed", job.id(), e);
            job.is(new JobState.Failed(String.valueOf(e.getMessage())));
        }
    }

    /** What is said of generations that cannot be compared now. */
    private List<VerifyReport.OfGeneration> lacking(List<DesiredTable> tables, VerifySpec order) {
        return tables.stream()
                .flatMap(table -> schedule.lacking(table, order.index()).stream()
                        .map(generation -> VerifyReport.OfGeneration.missing(
                                generation, table.definition().partitions())))
                .toList();
    }

    private long rows(List<VerifyRequest> requests) {
        return requests.stream()
                .flatMap(request -> shards.checkpoints(request.table()).stream())
                .mapToLong(ShardCheckpoint::liveRows)
                .sum();
    }

    /** Compares the shards of the table, and those of each of its global indexes. */
    private JobState.Done run(List<VerifyRequest> requests, boolean repair, LongConsumer passed)
            throws CannotVerifyException, InterruptedException {
        Optional<JobState.Done> all = Optional.empty();
        for (VerifyRequest request : requests) {
            List<ShardWindow> held = windows(shards.of(request.table()));
            JobState.Done done = repair
                    ? verifier.repair(request, held, passed)
                    : new JobState.Done(verifier.verify(request, held, () -> false, passed), 0, Optional.empty());
            all = Optional.of(all.map(before -> before.and(done)).orElse(done));
        }
        return all.orElseThrow();
    }

    private static LongConsumer progress(VerifyJob job, long total) {
        AtomicLong rows = new AtomicLong();
        job.is(new JobState.Running(0, total));
        return more -> job.is(new JobState.Running(rows.addAndGet(more), total));
    }

    /** Compares; whether that gave a result. */
    private boolean attempt(Due due) throws InterruptedException {
        VerifyRequest request = due.request();
        if (request.generations().isEmpty() || due.shards().isEmpty()) {
            return false;
        }
        if (due.reason() == Reason.DIFFERENT) {
            LOGGER.warn(
                    "Indexes of {} differ from it by their digests and are compared row by row: {}",
                    request.table().name(),
                    request.generations().stream()
                            .map(generation -> generation.definition().name() + " in generation " + generation.id())
                            .toList());
        }
        try {
            BooleanSupplier background = () -> due.reason() == Reason.TURN && !jobs.isWaited();
            VerifyReport report = verifier.verify(request, windows(due.shards()), background, rows -> {});
            String differing = report.summary();
            if (!differing.isEmpty()) {
                LOGGER.warn(
                        "Indexes of {} differ from their table: {}",
                        request.table().name(),
                        differing);
            }
            return true;
        } catch (CannotVerifyException e) {
            report(request.table().name(), String.valueOf(e.getMessage()));
        } catch (ShardDamagedException e) {
            rebuild(e);
        } catch (RuntimeException e) {
            LOGGER.warn(
                    "A comparison of {} with its indexes failed",
                    request.table().name(),
                    e);
        }
        return false;
    }

    /** A pass reads blocks of files that no query may have read yet, so it may be the first that finds the damage. */
    private void rebuild(ShardDamagedException damage) {
        LOGGER.warn("A comparison has read what is damaged", damage);
        damage.shard().ifPresent(id -> shards.rebuild(id, String.valueOf(damage.getMessage())));
    }

    /** Logs a reason once, because the comparison is tried again every few seconds. */
    private void report(String table, String why) {
        if (!why.equals(reasons.put(table, why))) {
            LOGGER.info("Indexes of {} cannot be compared with it now: {}", table, why);
        }
    }

    private static List<ShardWindow> windows(List<OpenShard> shards) {
        return shards.stream().<ShardWindow>map(LiveWindow::new).toList();
    }
}
