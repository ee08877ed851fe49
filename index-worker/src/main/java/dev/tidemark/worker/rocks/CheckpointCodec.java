package dev.tidemark.worker.rocks;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardOrigin;

/** The two records of the meta table. */
final class CheckpointCodec {
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
        checkpoint.generations().values().forEach(status -> GenerationCodec.write(out, status));
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
            GenerationStatus status = GenerationCodec.read(in);
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
}
