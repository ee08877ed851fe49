package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

import dev.tidemark.progress.Progress;
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
                .number(checkpoint.quarantined())
                .number(checkpoint.entries().size());
        checkpoint.entries().forEach(out::number);
        return out.toBytes();
    }

    static ShardCheckpoint read(byte[] bytes) {
        RecordReader in = new RecordReader(bytes);
        long nextOffset = in.number();
        boolean hasEpoch = in.number() == 1;
        int epoch = (int) in.number();
        Progress progress = new Progress(in.time(), in.version());
        var lastCaughtUp = in.time();
        long quarantined = in.number();
        int indexes = in.count();
        List<Long> entries = new ArrayList<>(indexes);
        for (int i = 0; i < indexes; i++) {
            entries.add(in.number());
        }
        return new ShardCheckpoint(
                nextOffset,
                hasEpoch ? OptionalInt.of(epoch) : OptionalInt.empty(),
                progress,
                lastCaughtUp,
                entries,
                quarantined);
    }

    static byte[] write(ShardOrigin origin) {
        return new RecordWriter()
                .text(origin.topicId())
                .text(origin.definition())
                .toBytes();
    }

    static ShardOrigin readOrigin(byte[] bytes) {
        RecordReader in = new RecordReader(bytes);
        return new ShardOrigin(in.text(), in.text());
    }
}
