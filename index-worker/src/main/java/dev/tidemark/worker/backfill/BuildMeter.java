package dev.tidemark.worker.backfill;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * Measures the progress, the speed and the duration of builds. The shards store when a backfill began, so that outlives
 * the process; this process observes its end. The copy thread samples; any thread reads.
 */
public final class BuildMeter {
    private static final Duration SAMPLE_EVERY = Duration.ofMillis(250);
    private static final Duration LOOK_BACK = Duration.ofSeconds(5);

    private final Shards shards;
    private final Clock clock;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private final Map<Long, Instant> began = new HashMap<>();
    private final Map<Long, Duration> took = new HashMap<>();

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
        Map<Long, Long> rows = checkpoints(shards.assigned())
                .flatMap(checkpoint -> checkpoint.generations().values().stream())
                .collect(Collectors.groupingBy(
                        GenerationStatus::id,
                        Collectors.summingLong(held -> held.tally().rows())));
        samples.add(new Sample(now, rows));
        samples.removeIf(sample -> Duration.between(sample.at(), now).compareTo(LOOK_BACK) > 0);
    }

    /**
     * Observes which builds have begun and ended; called often, so that their times are exact. While any shard is not
     * open, nothing is observed. Forgets generations that no shard holds.
     */
    synchronized void watch() {
        Collection<OpenShard> all = shards.assigned();
        if (all.stream().anyMatch(shard -> shard.applied().isEmpty())) {
            return;
        }
        List<GenerationStatus> held = checkpoints(all)
                .flatMap(checkpoint -> checkpoint.generations().values().stream())
                .toList();
        Set<Long> copying = new HashSet<>();
        for (GenerationStatus generation : held) {
            GenerationState state = generation.phase() instanceof GenerationState.Paused paused
                    ? paused.building()
                    : generation.phase();
            if (state instanceof GenerationState.Building) {
                copying.add(generation.id());
                began.merge(generation.id(), state.since(), (one, other) -> one.isBefore(other) ? one : other);
                // Copied again, because rows were lacking: the end that was seen was none.
                took.remove(generation.id());
            }
        }
        Set<Long> present = held.stream().map(GenerationStatus::id).collect(Collectors.toSet());
        began.keySet().retainAll(present);
        took.keySet().retainAll(present);
        began.forEach((id, since) -> {
            if (!copying.contains(id)) {
                took.putIfAbsent(id, Duration.between(since, clock.instant()));
            }
        });
    }

    /** How long the copying of a generation took; empty while it lasts, and where this process did not see its end. */
    public synchronized Optional<Duration> took(long generation) {
        return Optional.ofNullable(took.get(generation));
    }

    /**
     * The progress of a generation of a table, over the shards of this worker. A global index has a row in several
     * shards, or in none, so that its rows are about those of the table only.
     */
    public BuildProgress progress(TableDefinition table, Generation generation) {
        long done = shards.checkpoints(generation.home(table)).stream()
                .flatMap(checkpoint -> checkpoint.generation(generation.id()).stream())
                .mapToLong(status -> status.tally().rows())
                .sum();
        long total = shards.checkpoints(table).stream()
                .mapToLong(ShardCheckpoint::liveRows)
                .sum();
        return new BuildProgress(
                done, generation.definition().isGlobal() ? Math.max(done, total) : total, rate(generation.id()));
    }

    private synchronized Optional<Double> rate(long generation) {
        Sample first = samples.peekFirst();
        Sample last = samples.peekLast();
        if (first == null
                || last == null
                || first.equals(last)
                || Duration.between(last.at(), clock.instant()).compareTo(LOOK_BACK) > 0) {
            return Optional.empty();
        }
        long before = first.rows().getOrDefault(generation, 0L);
        long after = last.rows().getOrDefault(generation, 0L);
        double seconds = Duration.between(first.at(), last.at()).toNanos() / 1e9;
        return Optional.of(Math.max(0, after - before) / seconds);
    }

    private static Stream<ShardCheckpoint> checkpoints(Collection<OpenShard> shards) {
        return shards.stream().flatMap(shard -> shard.applied().stream()).map(ShardStatus::checkpoint);
    }
}
