package dev.tidemark.writer.lag;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.Progress;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.writer.catalog.LogUnavailableException;

/**
 * Reports how fresh the indexes are, also while no worker runs. It reads the progress records beside the workers'
 * committed offsets. The reported freshness is never better than the worker's own report, because a worker writes its
 * progress afterwards. It grows while no new progress arrives.
 */
public final class FreshnessWatch implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(FreshnessWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);

    /** Longest time that {@link #look()} waits: while brokers are unavailable, no partition moves either. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private static final Duration STEP = Duration.ofMillis(1);

    private final List<TableDefinition> tables;
    private final WorkerProgressReader notes;
    private final Clock clock;
    private final WakeupSignal wakeUp;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong asked = new AtomicLong();
    private volatile long ended;
    private volatile Map<String, Map<Integer, Progress>> latest = Map.of();
    private Instant next = Instant.MIN;
    private boolean failing;

    /**
     * A watch that has seen nothing yet.
     *
     * @param wakeUp wakes the thread that runs it
     */
    public FreshnessWatch(List<TableDefinition> tables, WorkerProgressReader notes, Clock clock, WakeupSignal wakeUp) {
        this.wakeUp = wakeUp;
        this.tables = List.copyOf(tables);
        this.notes = notes;
        this.clock = clock;
    }

    /**
     * Requests that the progress is read now, and waits briefly for it. A partition that has moved since the last
     * reading may be owned by a worker that has applied less than the previous owner. So a caller that reports
     * freshness calls this first. For any thread.
     */
    public void look() {
        long wanted = begun.get() + 1;
        asked.accumulateAndGet(wanted, Math::max);
        wakeUp.ring();
        try {
            BoundedWait.until(() -> ended >= wanted, PATIENCE, STEP);
        } catch (InterruptedException e) {
            // The progress read last stays valid; the caller sees the interrupt.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The time up to which every index of a table holds every change; empty while that is unknown for any partition.
     * For any thread.
     */
    public Optional<Instant> completeUpTo(TableDefinition table) {
        Map<Integer, Progress> ofTable = latest.getOrDefault(table.name(), Map.of());
        Instant least = Instant.MAX;
        for (int partition = 0; partition < table.partitions(); partition++) {
            Optional<Instant> watermark =
                    Optional.ofNullable(ofTable.get(partition)).flatMap(Progress::watermark);
            if (watermark.isEmpty()) {
                return Optional.empty();
            }
            least = watermark.get().isBefore(least) ? watermark.get() : least;
        }
        return Optional.of(least);
    }

    /** Age of {@link #completeUpTo}: how stale an answer of the table's indexes can be. For any thread. */
    public Optional<Duration> freshness(TableDefinition table) {
        return completeUpTo(table)
                .map(time -> Duration.between(time, clock.instant()))
                .map(age -> age.isNegative() ? Duration.ZERO : age);
    }

    public List<TableDefinition> tables() {
        return tables;
    }

    @Override
    public String roleName() {
        return "lag";
    }

    @Override
    public int doWork() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(next) && asked.get() <= begun.get()) {
            return 0;
        }
        next = now.plus(INTERVAL);
        long look = begun.incrementAndGet();
        try {
            latest = notes.read();
            failing = false;
            return 1;
        } catch (LogUnavailableException e) {
            if (!failing) {
                LOGGER.info("The workers' notes cannot be read at the moment: {}", e.getMessage());
            }
            failing = true;
            return 0;
        } finally {
            ended = look;
        }
    }
}
