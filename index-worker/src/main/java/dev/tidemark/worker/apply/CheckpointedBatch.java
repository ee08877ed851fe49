package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;

/**
 * A piece of a batch, and the heartbeat with digests that it ends with. The digest of a shard is known at the end of a
 * batch only, so a batch is cut after each such heartbeat.
 *
 * @param mark empty where the piece ends because its batch does
 */
record CheckpointedBatch(ChangeBatch batch, Optional<Heartbeat> mark) {
    /** A heartbeat with digests is longer than this, in bytes. */
    private static final int BARE_BYTES = 16;

    /**
     * The pieces of a batch, at least one.
     *
     * @param restoring whether the shard has not passed the end of the log yet. Until then it may hold a state that the
     *     table never had at one moment, so no heartbeat applies to it
     */
    static List<CheckpointedBatch> cut(ChangeCodec codec, ChangeBatch batch, boolean restoring) {
        if (restoring) {
            return List.of(new CheckpointedBatch(batch, Optional.empty()));
        }
        List<CheckpointedBatch> pieces = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < batch.records().size(); i++) {
            LogRecord logged = batch.records().get(i);
            Optional<Heartbeat> mark = mark(codec, logged);
            if (mark.isPresent()) {
                List<LogRecord> records = batch.records().subList(from, i + 1);
                pieces.add(new CheckpointedBatch(
                        new ChangeBatch(records, logged.offset() + 1, batch.leaderEpoch()), mark));
                from = i + 1;
            }
        }
        if (from == 0) {
            return List.of(new CheckpointedBatch(batch, Optional.empty()));
        }
        List<LogRecord> rest = batch.records().subList(from, batch.records().size());
        pieces.add(new CheckpointedBatch(
                new ChangeBatch(rest, batch.nextOffset(), batch.leaderEpoch()), Optional.empty()));
        return pieces;
    }

    /** The first records of the piece, which are a piece by themselves where they are not all. */
    CheckpointedBatch first(int records) {
        return records == batch.records().size()
                ? this
                : new CheckpointedBatch(
                        new ChangeBatch(
                                batch.records().subList(0, records),
                                batch.records().get(records).offset(),
                                batch.leaderEpoch()),
                        Optional.empty());
    }

    /** What follows them; empty where they are all. */
    Optional<CheckpointedBatch> after(int records) {
        int all = batch.records().size();
        return records == all
                ? Optional.empty()
                : Optional.of(new CheckpointedBatch(
                        new ChangeBatch(batch.records().subList(records, all), batch.nextOffset(), batch.leaderEpoch()),
                        mark));
    }

    private static Optional<Heartbeat> mark(ChangeCodec codec, LogRecord logged) {
        WireRecord record = logged.record();
        KeyBytes value = record.value();
        if (value == null
                || value.length() <= BARE_BYTES
                || !record.key().equals(ChangeCodec.HEARTBEAT_KEY)
                || !logged.isWhereExpected()) {
            return Optional.empty();
        }
        try {
            return codec.decode(record) instanceof Heartbeat heartbeat
                            && !heartbeat.digests().isEmpty()
                    ? Optional.of(heartbeat)
                    : Optional.empty();
        } catch (MalformedChangeException e) {
            // The record is decoded again when the piece is applied, and its refusal is reported then.
            return Optional.empty();
        }
    }
}
