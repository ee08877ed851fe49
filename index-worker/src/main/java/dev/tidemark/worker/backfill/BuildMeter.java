package dev.tidemark.worker.backfill;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

/** Measures the progress and the speed of builds. The copy thread samples; any thread reads. */
public final class BuildMeter {
    private static final Duration SAMPLE_EVERY = Duration.ofMillis(250);
    private static final Duration LOOK_BACK = Duration.ofSeconds(5);

    private final Shards shards;
    private final Clock clock;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private final BuildTimes times = new BuildTimes();

    /** Rows done by generation, at a time. */
    private record Sample(Instant at, Map<Long, Long> rows) {}

    public BuildMeter(Shards shards, Clock clock) {
        this.shards = shards;
        this.clock = clock;
    }

    /** Takes a sample when one is due. */
    synchronized void sample() {
        Instant now = clock.instant();
        Sample last = samples.peekLast();
        if (last != null && Duration.between(last.at(), now).compareTo(SAMPLE_EVERY) < 0) {
            return;
        }
        samples.add(new Sample(now, rows()));
        samples.removeIf(sample -> Duration.between(sample.at(), now).compareTo(LOOK_BACK) > 0);
    }

    /** Observes which builds have begun and ended; called often, so that their times are exact. */
    synchronized void watch() {
        times.look(shards.assigned(), clock.instant());
    }

    /** How long the copying of a generation took; empty while it lasts, and where this process did not see its end. */
    public synchronized Optional<Duration> took(long generation) {
        return times.took(generation);
    }

    /** The progress of a generation of a table, over the shards of this worker. */
    public BuildProgress progress(String table, long generation) {
        long done = 0;
        long total = 0;
        for (OpenShard shard : shards.assigned()) {
            Optional<ShardCheckpoint> held = shard.status().map(ShardStatus::checkpoint);
            if (shard.id().table().equals(table) && held.isPresent()) {
                done += rows(held.get(), generation);
                total += held.get().liveRows();
            }
        }
        return new BuildProgress(done, total, rate(generation));
    }

    private synchronized Optional<Double> rate(long generation) {
        Sample first = samples.peekFirst();
        Sample last = samples.peekLast();
        Instant now = clock.instant();
        if (first == null
                || last == null
                || first.equals(last)
                || Duration.between(last.at(), now).compareTo(LOOK_BACK) > 0) {
            return Optional.empty();
        }
        long before = first.rows().getOrDefault(generation, 0L);
        long after = last.rows().getOrDefault(generation, 0L);
        double seconds = Duration.between(first.at(), last.at()).toNanos() / 1e9;
        return Optional.of(Math.max(0, after - before) / seconds);
    }

    private Map<Long, Long> rows() {
        Map<Long, Long> rows = new HashMap<>();
        for (OpenShard shard : shards.assigned()) {
            shard.status()
                    .ifPresent(status -> status.checkpoint()
                            .generations()
                            .forEach((id, held) -> rows.merge(id, held.tally().rows(), Long::sum)));
        }
        return rows;
    }

    private static long rows(ShardCheckpoint held, long generation) {
        return held.generation(generation)
                .map(GenerationStatus::tally)
                .map(tally -> tally.rows())
                .orElse(0L);
    }
}
