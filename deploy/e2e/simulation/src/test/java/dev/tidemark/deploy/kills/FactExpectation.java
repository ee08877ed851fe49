package dev.tidemark.deploy.kills;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

/** What fact tables must hold after a batch, told by the script alone. */
final class FactExpectation {
    private final Script script;
    private final long batch;
    private final Map<KeyBytes, String> rows = new LinkedHashMap<>();
    private final Map<DigestKey, Digest> digests = new HashMap<>();

    FactExpectation(Script script, long batch) {
        this.script = script;
        this.batch = batch;
        for (Touch touch : script.lastTouches(batch).values()) {
            if (FactRows.change(touch).event() instanceof ChangeEvent.Upserted upserted) {
                rows.put(upserted.key(), text(upserted));
                FactRows.add(digests, touch.row(), FactRows.part(upserted.key(), upserted.version()));
            }
        }
    }

    /**
     * Compares everything.
     *
     * @return rows and changes compared
     */
    long compare(FactStore store, Outbox outbox, Tombstones tombstones) {
        if (batch > 0) {
            Trial.same("the last commit", store.lastCommit(), FactRows.point(batch * Script.CHANGES));
        }
        Trial.same("the rows", rowsOf(store), rows);
        List<@Nullable String> each = new ArrayList<>();
        List<KeyBytes> keys = new ArrayList<>();
        for (int row = 0; row < Script.ROWS; row++) {
            keys.add(ShardRows.key(row));
            each.add(rows.get(ShardRows.key(row)));
        }
        List<@Nullable String> found = new ArrayList<>();
        store.findAll(FactRows.TABLE, keys).forEach(row -> found.add(row == null ? null : text(row)));
        Trial.same("the rows asked for", found, each);
        compareDigests(store);
        return (long) rows.size() + compareOutbox(outbox) + compareTombstones(tombstones);
    }

    /** A partition that has lost all its rows has a digest, of nothing. */
    private void compareDigests(FactStore store) {
        Map<DigestKey, Digest> found = new HashMap<>(store.digests());
        found.values().removeIf(Digest.EMPTY::equals);
        Trial.same("the digests", found, digests);
    }

    private int compareOutbox(Outbox outbox) {
        List<CommittedChange> found = outbox.readAfter(0, Integer.MAX_VALUE, Long.MAX_VALUE);
        long last = batch * Script.CHANGES;
        long first = last - found.size() + 1;
        if (first <= Housekeeping.certainlyGone(batch) || first > Housekeeping.possiblyGone(batch) + 1) {
            throw new IllegalStateException("Expected the outbox to begin after change "
                    + Housekeeping.certainlyGone(batch) + " to " + Housekeeping.possiblyGone(batch) + ", but it has "
                    + found.size() + " changes up to " + last);
        }
        Trial.same("the outbox", texts(found), texts(changesFrom(first)));
        return found.size();
    }

    private int compareTombstones(Tombstones tombstones) {
        List<Tombstone> found =
                tombstones.due(ShardRows.timeOf(batch * Script.CHANGES), Optional.empty(), Integer.MAX_VALUE);
        long gone = found.stream().anyMatch(mark -> mark.version().sequence() <= Housekeeping.possiblyGone(batch))
                ? Housekeeping.certainlyGone(batch)
                : Housekeeping.possiblyGone(batch);
        List<Tombstone> expected = new ArrayList<>();
        for (CommittedChange change : changesFrom(gone + 1)) {
            if (change.event() instanceof ChangeEvent.Deleted deleted) {
                expected.add(new Tombstone(
                        change.table(), change.partition(), deleted.key(), deleted.version(), deleted.committedAt()));
            }
        }
        Trial.same("the marks of deletes", found, expected);
        return found.size();
    }

    private List<CommittedChange> changesFrom(long sequence) {
        List<CommittedChange> changes = new ArrayList<>();
        for (long number = (sequence - 1) / Script.CHANGES + 1; number <= batch; number++) {
            FactRows.changes(script.batch(number)).stream()
                    .filter(change -> change.sequence() >= sequence)
                    .forEach(changes::add);
        }
        return changes;
    }

    private static Map<KeyBytes, String> rowsOf(FactStore store) {
        Map<KeyBytes, String> found = new LinkedHashMap<>();
        try (FactSnapshot snapshot = store.snapshot(FactRows.TABLE)) {
            for (KeyedRow row = snapshot.next(); row != null; row = snapshot.next()) {
                found.put(row.key(), text(row.stored()));
            }
        }
        return found;
    }

    /** Changes as text: rows that are equal as JSON need not be so byte by byte, and here they must. */
    private static List<String> texts(List<CommittedChange> changes) {
        return changes.stream()
                .map(change -> change.table() + "/" + change.partition() + "/"
                        + (change.event() instanceof ChangeEvent.Upserted upserted
                                ? upserted.operation() + " " + upserted.key() + " " + text(upserted)
                                : change.event()))
                .toList();
    }

    private static String text(ChangeEvent.Upserted event) {
        return text(event.version(), event.committedAt(), event.row().bytes());
    }

    private static String text(StoredRow row) {
        return text(row.version(), row.committedAt(), row.row().bytes());
    }

    private static String text(RowVersion version, Instant time, byte[] row) {
        return version.sequence() + " " + time.toEpochMilli() + " " + new String(row, StandardCharsets.UTF_8);
    }
}
