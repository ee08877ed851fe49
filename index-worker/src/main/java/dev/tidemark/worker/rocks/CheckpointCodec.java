package dev.tidemark.worker.rocks;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.digest.Digest;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationState.Building;
import dev.tidemark.worker.store.GenerationState.Degraded;
import dev.tidemark.worker.store.GenerationState.Dropping;
import dev.tidemark.worker.store.GenerationState.Paused;
import dev.tidemark.worker.store.GenerationState.Ready;
import dev.tidemark.worker.store.GenerationState.Rebuilding;
import dev.tidemark.worker.store.GenerationState.Verifying;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardOrigin;

/** The two records of the meta table. The numbers of the phases of a generation are frozen: they are on disk. */
final class CheckpointCodec {
    private static final int BUILDING = 1;
    private static final int PAUSED = 2;
    private static final int VERIFYING = 3;
    private static final int READY = 4;
    private static final int DEGRADED = 5;
    private static final int REBUILDING = 6;
    private static final int DROPPING = 7;
    private static final int VERIFYING_REBUILT = 8;

    private CheckpointCodec() {}

    static byte[] write(ShardCheckpoint checkpoint) {
        RecordWriter out = new RecordWriter()
                .number(checkpoint.nextOffset())
                .number(checkpoint.leaderEpoch().isPresent() ? 1 : 0)
                .number(checkpoint.leaderEpoch().orElse(0))
                .time(checkpoint.progress().completeUpTo())
                .version(checkpoint.progress().through())
                .time(checkpoint.lastCaughtUp())
                .number(checkpoint.liveRows())
                .number(checkpoint.quarantined())
                .number(checkpoint.generations().size());
        checkpoint.generations().values().forEach(status -> write(out, status));
        return out.toBytes();
    }

    static ShardCheckpoint read(byte[] bytes) {
        RecordReader in = new RecordReader(bytes);
        long nextOffset = in.number();
        boolean hasEpoch = in.number() == 1;
        int epoch = (int) in.number();
        Progress progress = new Progress(in.time(), in.version());
        Instant lastCaughtUp = in.time();
        long liveRows = in.number();
        long quarantined = in.number();
        SortedMap<Long, GenerationStatus> generations = new TreeMap<>();
        for (int left = in.count(); left > 0; left--) {
            GenerationStatus status = readGeneration(in);
            generations.put(status.id(), status);
        }
        return new ShardCheckpoint(
                nextOffset,
                hasEpoch ? OptionalInt.of(epoch) : OptionalInt.empty(),
                progress,
                lastCaughtUp,
                generations,
                liveRows,
                quarantined);
    }

    static byte[] write(ShardOrigin origin) {
        return new RecordWriter().text(origin.topicId()).text(origin.table()).toBytes();
    }

    static ShardOrigin readOrigin(byte[] bytes) {
        RecordReader in = new RecordReader(bytes);
        return new ShardOrigin(in.text(), in.text());
    }

    private static void write(RecordWriter out, GenerationStatus status) {
        out.number(status.id()).text(status.definition());
        write(out, status.phase());
        out.number(status.servedSince().isPresent() ? 1 : 0);
        status.servedSince().ifPresent(out::time);
        GenerationStats stats = status.tally();
        out.number(stats.entries()).number(stats.rows()).number(stats.refused());
        write(out, stats.entriesDigest());
        write(out, stats.contentDigest());
    }

    private static GenerationStatus readGeneration(RecordReader in) {
        long id = in.number();
        String definition = in.text();
        GenerationState state = phase(in);
        Optional<Instant> servedSince = in.number() == 1 ? Optional.of(in.time()) : Optional.empty();
        GenerationStats stats = new GenerationStats(in.number(), in.number(), in.number(), digest(in), digest(in));
        return new GenerationStatus(id, definition, state, servedSince, stats);
    }

    private static void write(RecordWriter out, GenerationState state) {
        out.number(code(state)).time(state.since()).text(state.cause());
        if (state instanceof Building building) {
            out.number(building.copied()).number(building.copyEnd()).number(building.passes());
        } else if (state instanceof Paused paused) {
            write(out, paused.building());
        } else if (state instanceof Degraded degraded) {
            out.number(degraded.refusing() ? 1 : 0);
        }
    }

    private static GenerationState phase(RecordReader in) {
        long code = in.number();
        Instant since = in.time();
        String cause = in.text();
        return switch ((int) code) {
            case BUILDING -> new Building(in.number(), in.number(), (int) in.number(), since, cause);
            case PAUSED -> new Paused(building(phase(in)), since, cause);
            case VERIFYING -> new Verifying(false, since, cause);
            case VERIFYING_REBUILT -> new Verifying(true, since, cause);
            case READY -> new Ready(since, cause);
            case DEGRADED -> new Degraded(in.number() == 1, since, cause);
            case REBUILDING -> new Rebuilding(since, cause);
            case DROPPING -> new Dropping(since, cause);
            default -> throw new ShardDamagedException("Expected the phase of a generation, but got " + code);
        };
    }

    private static Building building(GenerationState paused) {
        if (paused instanceof Building building) {
            return building;
        }
        throw new ShardDamagedException("Expected a building that is paused, but got " + paused);
    }

    private static int code(GenerationState state) {
        if (state instanceof Building) {
            return BUILDING;
        } else if (state instanceof Paused) {
            return PAUSED;
        } else if (state instanceof Verifying verifying) {
            return verifying.rebuilt() ? VERIFYING_REBUILT : VERIFYING;
        } else if (state instanceof Ready) {
            return READY;
        } else if (state instanceof Degraded) {
            return DEGRADED;
        } else if (state instanceof Rebuilding) {
            return REBUILDING;
        }
        return DROPPING;
    }

    private static void write(RecordWriter out, Digest digest) {
        out.number(digest.high()).number(digest.low());
    }

    private static Digest digest(RecordReader in) {
        return new Digest(in.number(), in.number());
    }
}
