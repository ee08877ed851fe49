package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Handover;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.ShardId;

/** The records of a batch, read: those about rows by row, in the order of the log, and what all of them say of progress. */
final class DecodedBatch {
    private static final Logger LOGGER = LoggerFactory.getLogger(DecodedBatch.class);

    private final ShardId shard;
    private final Map<KeyBytes, List<Decoded>> byRow = new LinkedHashMap<>();
    private final List<FirstSeen> firstSeen = new ArrayList<>();
    private final boolean restoring;
    private Progress heard;
    private int unreadableHeartbeats;

    private DecodedBatch(ShardId shard, ProgressGate gate) {
        this.shard = shard;
        this.restoring = gate.restoring();
        this.heard = gate.heard();
    }

    /**
     * Reads a batch.
     *
     * @param wanted the fields of rows that will be asked for
     * @param gate as it was after the records before it
     */
    static DecodedBatch read(ShardId shard, ChangeCodec codec, RowFields wanted, ChangeBatch batch, ProgressGate gate) {
        DecodedBatch decoded = new DecodedBatch(shard, gate);
        batch.records().forEach(logged -> decoded.add(logged, codec, wanted));
        return decoded;
    }

    Map<KeyBytes, List<Decoded>> byRow() {
        return byRow;
    }

    Progress heard() {
        return heard;
    }

    /** The changes that came in their turn and for the first time. */
    List<FirstSeen> firstSeen() {
        return firstSeen;
    }

    /** About no row, so there is none to quarantine; progress stays behind until a good one comes. */
    int unreadableHeartbeats() {
        return unreadableHeartbeats;
    }

    private void add(LogRecord logged, ChangeCodec codec, RowFields wanted) {
        try {
            add(logged, codec.decode(logged.record(), wanted));
        } catch (MalformedChangeException e) {
            if (logged.record().key().equals(ChangeCodec.HEARTBEAT_KEY)) {
                unreadableHeartbeats++;
                LOGGER.warn("A heartbeat at {}@{} cannot be read: {}", shard, logged.offset(), e.getMessage());
            } else {
                row(logged).add(Decoded.Bad.of(logged, e.getMessage()));
            }
        }
    }

    private void add(LogRecord logged, ChangeMessage message) {
        if (message instanceof Heartbeat heartbeat) {
            heard = before(heartbeat.frontier()).after(heartbeat);
        } else if (message instanceof ChangeEvent event) {
            if (event.inCommitOrder() && !heard.covers(event.version())) {
                note(event.committedAt(), logged.record().headers().get(Handover.HEADER));
            }
            heard = event.inCommitOrder() ? before(event.version()).after(event) : heard;
            row(logged).add(new Decoded.Good(logged, event));
        } else {
            throw new AssertionError("unknown kind of message: " + message);
        }
    }

    private void note(Instant committedAt, @Nullable String handover) {
        int last = firstSeen.size() - 1;
        if (last >= 0 && firstSeen.get(last).isLike(committedAt, handover)) {
            firstSeen.set(last, firstSeen.get(last).andOneMore());
        } else {
            firstSeen.add(new FirstSeen(committedAt, handover, 1));
        }
    }

    /**
     * What had been heard before a record of some version. Where the relay has begun again with older changes, compaction
     * may have taken newer ones that stood before them, and a shard that restores has not seen those: it begins again too.
     */
    private Progress before(RowVersion version) {
        return restoring && heard.through().isAfter(version) ? Progress.UNKNOWN : heard;
    }

    private List<Decoded> row(LogRecord logged) {
        return byRow.computeIfAbsent(logged.record().key(), key -> new ArrayList<>(1));
    }
}
