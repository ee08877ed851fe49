package dev.tidemark.writer.lag;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.Progress;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.PolledValue;
import dev.tidemark.runtime.WakeupSignal;

/**
 * Reports how fresh the indexes are, also while no worker runs. It reads the progress records beside the workers'
 * committed offsets. The reported freshness is never better than the worker's own report, because a worker writes its
 * progress afterwards. It grows while no new progress arrives.
 */
public final class FreshnessWatch {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    /** A watermark that is ahead of the clock by less counts as of now. */
    private static final Duration LEEWAY = Duration.ofSeconds(1);

    private final LongSupplier epoch;
    private final Clock clock;
    private final PolledValue<List<WorkerProgressReader.Noted>> notes;

    /**
     * A watch that has seen nothing yet.
     *
     * @param epoch gives that of the newest version that was committed
     * @param clock the commit clock
     * @param wakeUp wakes the thread that runs it
     */
    public FreshnessWatch(WorkerProgressReader notes, LongSupplier epoch, Clock clock, WakeupSignal wakeUp) {
        this.epoch = epoch;
        this.clock = clock;
        this.notes = new PolledValue<>("lag", INTERVAL, notes::read, List.of(), clock, wakeUp::ring);
    }

    /** Reads the notes. To be run by one thread. */
    public Agent agent() {
        return notes;
    }

    /**
     * Requests that the progress is read now, and waits briefly for it. A partition that has moved since the last
     * reading may be owned by a worker that has applied less than the previous owner. So a caller that reports
     * freshness calls this first. For any thread.
     */
    public void look() {
        notes.look();
    }

    /**
     * The tables whose shards an index answers from, by the notes: that of the newest generation that some worker notes
     * to answer from in every partition noted, as workers choose it. Those of all generations where there is none. For
     * any thread.
     *
     * @return each is the table itself, or a derived one
     */
    public List<TableDefinition> answering(TableDefinition table, DesiredIndex index) {
        List<TableDefinition> all = new ArrayList<>();
        for (Generation generation : index.generations()) {
            TableDefinition home = generation.home(table);
            Collection<List<WorkerProgressReader.Noted>> noted = live(home).values();
            if (!noted.isEmpty() && noted.stream().allMatch(partition -> answers(partition, generation))) {
                return List.of(home);
            }
            all.add(home);
        }
        return all;
    }

    private static boolean answers(List<WorkerProgressReader.Noted> partition, Generation generation) {
        return partition.stream().anyMatch(noted -> noted.answering().contains(generation.id()));
    }

    /**
     * The time up to which the shards of some tables hold every change; empty while that is unknown for any partition.
     * For any thread.
     */
    public Optional<Instant> completeUpTo(List<TableDefinition> homes) {
        Instant least = Instant.MAX;
        for (TableDefinition home : homes) {
            Map<Integer, List<WorkerProgressReader.Noted>> byPartition = live(home);
            for (int partition = 0; partition < home.partitions(); partition++) {
                Optional<Instant> watermark = watermark(byPartition.getOrDefault(partition, List.of()));
                if (watermark.isEmpty()) {
                    return Optional.empty();
                }
                least = watermark.get().isBefore(least) ? watermark.get() : least;
            }
        }
        return Optional.of(least);
    }

    /** What is noted of each partition of a table. A group without members answers nothing, unless all are so. */
    private Map<Integer, List<WorkerProgressReader.Noted>> live(TableDefinition home) {
        List<WorkerProgressReader.Noted> all = notes.get();
        boolean anyLive = all.stream().anyMatch(WorkerProgressReader.Noted::live);
        return all.stream()
                .filter(noted -> noted.table().equals(home.name()) && (noted.live() || !anyLive))
                .collect(Collectors.groupingBy(WorkerProgressReader.Noted::partition));
    }

    /**
     * The least watermark of a partition. A worker that has just taken it over may answer before it notes how far it
     * is, so then it is unknown; so it is where a worker answers that knows no watermark of the source of the rows, or
     * has not heard since the fact tables went back in time. One that is not whole answers nothing.
     */
    private Optional<Instant> watermark(List<WorkerProgressReader.Noted> groups) {
        if (groups.stream().anyMatch(this::isUnknown)) {
            return Optional.empty();
        }
        return groups.stream()
                .flatMap(noted -> noted.progress().flatMap(Progress::watermark).stream())
                .min(Instant::compareTo);
    }

    private boolean isUnknown(WorkerProgressReader.Noted noted) {
        return noted.progress()
                .map(progress -> progress.isWhole()
                        && progress.watermark()
                                .filter(time -> isOfThisClock(time, progress))
                                .isEmpty())
                .orElse(true);
    }

    /** The clock may have gone back together with the fact tables. */
    private boolean isOfThisClock(Instant watermark, Progress progress) {
        return !watermark.isAfter(clock.instant().plus(LEEWAY))
                && progress.through().epoch() >= epoch.getAsLong();
    }

    /** Age of {@link #completeUpTo}: how stale an answer from these shards can be. For any thread. */
    public Optional<Duration> freshness(List<TableDefinition> homes) {
        return completeUpTo(homes)
                .map(time -> Duration.between(time, clock.instant()))
                .map(age -> age.isNegative() ? Duration.ZERO : age);
    }
}
