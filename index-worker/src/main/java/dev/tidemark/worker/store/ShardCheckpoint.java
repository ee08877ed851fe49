package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.progress.Progress;

/**
 * How far a shard is, written together with the changes that it covers.
 *
 * @param nextOffset the first offset that is not applied
 * @param leaderEpoch the partition leader's epoch of the last record applied, which reveals a truncated log
 * @param progress the progress that readers may see; stays behind while a shard catches up
 * @param lastCaughtUp when the shard last had applied every record; {@link Instant#MIN} for never
 * @param generations the generations of indexes that the shard holds, by their numbers
 * @param liveRows number of existing rows, without those that have a record in quarantine
 * @param quarantined number of quarantined records
 */
public record ShardCheckpoint(
        long nextOffset,
        OptionalInt leaderEpoch,
        Progress progress,
        Instant lastCaughtUp,
        SortedMap<Long, GenerationStatus> generations,
        long liveRows,
        long quarantined) {

    /** A shard that has applied nothing and holds nothing. */
    public static final ShardCheckpoint EMPTY =
            new ShardCheckpoint(0, OptionalInt.empty(), Progress.UNKNOWN, Instant.MIN, new TreeMap<>(), 0, 0);

    public ShardCheckpoint {
        generations = Collections.unmodifiableSortedMap(new TreeMap<>(generations));
    }

    /**
     * Whether nothing is applied, so that no delete can have been missed. A shard at offset 0 may have rows: a large
     * batch is stored in steps before the offset moves, and a shard may have gone back.
     */
    public boolean isNew() {
        return nextOffset == 0 && liveRows == 0 && quarantined == 0;
    }

    /** What is known of a generation; empty when the shard does not hold it. */
    public Optional<GenerationStatus> generation(long id) {
        return Optional.ofNullable(generations.get(id));
    }

    /**
     * Whether questions to a generation may be answered from the shard, which ever had everything that was in its
     * partition when it was opened: before that it knows no watermark.
     */
    public boolean serves(long generation) {
        return progress.isWhole()
                && generation(generation).filter(GenerationStatus::serves).isPresent();
    }

    /** Whether questions to a generation cannot be answered because the shard is built from nothing. */
    public boolean isRestoring(long generation) {
        return !progress.isWhole()
                || generation(generation).filter(GenerationStatus::isRestoring).isPresent();
    }

    /** Whether the shard is built from nothing, and some generation cannot answer because of that. */
    public boolean isRestoring() {
        return !progress.isWhole() || generations.values().stream().anyMatch(GenerationStatus::isRestoring);
    }

    /** Entries of a generation; 0 when the shard does not hold it. */
    public long entries(long generation) {
        return generation(generation).map(status -> status.tally().entries()).orElse(0L);
    }

    /** The same, as far in its log and with the progress as another one. */
    public ShardCheckpoint backAt(ShardCheckpoint earlier) {
        return new ShardCheckpoint(
                earlier.nextOffset,
                earlier.leaderEpoch,
                earlier.progress,
                lastCaughtUp,
                generations,
                liveRows,
                quarantined);
    }

    /** The same, with another time of having had everything. */
    public ShardCheckpoint caughtUpAt(Instant time) {
        return new ShardCheckpoint(nextOffset, leaderEpoch, progress, time, generations, liveRows, quarantined);
    }

    /** The same, with other generations. */
    public ShardCheckpoint withGenerations(Map<Long, GenerationStatus> held) {
        return new ShardCheckpoint(
                nextOffset, leaderEpoch, progress, lastCaughtUp, new TreeMap<>(held), liveRows, quarantined);
    }

    /** The same, with another status of one generation. */
    public ShardCheckpoint with(GenerationStatus status) {
        SortedMap<Long, GenerationStatus> held = new TreeMap<>(generations);
        held.put(status.id(), status);
        return withGenerations(held);
    }

    /**
     * The same, where generations that are built and have been copied up to an offset have been so up to the next one.
     *
     * @param builds since when each generation was being built that got the rows, by its number; a build that began
     *     later did not get them
     */
    public ShardCheckpoint copied(Map<Long, Instant> builds, long fromOffset, long nextOffset) {
        SortedMap<Long, GenerationStatus> held = new TreeMap<>(generations);
        held.replaceAll((id, status) -> status.phase() instanceof GenerationState.Building building
                        && building.since().equals(builds.get(id))
                        && building.copied() >= fromOffset
                ? status.in(building.copiedTo(nextOffset))
                : status);
        return withGenerations(held);
    }

    /** The same, without a generation. */
    public ShardCheckpoint without(long generation) {
        SortedMap<Long, GenerationStatus> held = new TreeMap<>(generations);
        held.remove(generation);
        return withGenerations(held);
    }

    /** The same, with another number of quarantined records. */
    public ShardCheckpoint withQuarantined(long records) {
        return records == quarantined
                ? this
                : new ShardCheckpoint(nextOffset, leaderEpoch, progress, lastCaughtUp, generations, liveRows, records);
    }
}
