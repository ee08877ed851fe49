package dev.tidemark.deploy.kills;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;

/** What a change makes of a row in the fact tables. */
final class FactRows {
    static final String TABLE = "customers";

    private static final int PARTITIONS = 4;
    private static final long GENERATION = 7;

    private FactRows() {}

    static CommittedChange change(Touch touch) {
        return new CommittedChange(TABLE, touch.row() % PARTITIONS, event(touch));
    }

    static List<CommittedChange> changes(List<Touch> touches) {
        return touches.stream().map(FactRows::change).toList();
    }

    /** The place in commit order of a change. */
    static CommitPosition point(long sequence) {
        return new CommitPosition(ShardRows.version(sequence), ShardRows.timeOf(sequence));
    }

    static DigestKey digestKey(int row) {
        return new DigestKey(GENERATION, row % PARTITIONS);
    }

    /** The part of a row in the digest of its partition. */
    static Digest part(KeyBytes row, RowVersion version) {
        long hash = Script.mixed(row.hashCode() ^ Script.mixed(version.sequence()));
        return new Digest(hash, Script.mixed(hash));
    }

    /** Adds a part to the digest of a row's partition. */
    static void add(Map<DigestKey, Digest> digests, int row, Digest part) {
        digests.merge(digestKey(row), part, Digest::plus);
    }

    private static ChangeEvent event(Touch touch) {
        KeyBytes key = ShardRows.key(touch.row());
        RowVersion version = ShardRows.version(touch.sequence());
        if (touch.oneOf(5, 1) == 0) {
            return new ChangeEvent.Deleted(key, version, ShardRows.timeOf(touch.sequence()));
        }
        String json = "{\"customerId\":" + touch.row() + ",\"town\":\"" + ShardRows.text(touch) + "\"}";
        return new ChangeEvent.Upserted(
                key,
                version,
                ShardRows.timeOf(touch.sequence()),
                touch.oneOf(2, 2) == 0 ? UpsertKind.CREATE : UpsertKind.UPDATE,
                RowDocument.stored(json.getBytes(StandardCharsets.UTF_8)));
    }
}
