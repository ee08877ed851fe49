package dev.tidemark.deploy.kills;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactsDamagedException;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.recovery.NewerFormatException;
import dev.tidemark.writer.rocks.RocksFactStore;
import dev.tidemark.writer.rocks.RocksOutbox;
import dev.tidemark.writer.rocks.RocksTombstones;
import dev.tidemark.writer.rocks.WriterDatabase;
import dev.tidemark.writer.testkit.TestTables;

/** Fact tables with outbox, deletes and digests, written and tidied up as the writer does it. */
final class FactTrial implements Trial {
    private final RocksResources resources = new RocksResources(8 << 20, 64 << 10, 2, what -> {});
    private final WriterDatabase database;
    private final RocksFactStore store;
    private final RocksOutbox outbox;
    private final RocksTombstones tombstones;
    private final Script script;
    private final Map<DigestKey, Digest> digests;
    private long newest;

    FactTrial(Path directory, Script script) {
        this.database = open(directory, resources);
        this.store = new RocksFactStore(database, 32 << 10, new DiskFailure());
        this.outbox = new RocksOutbox(database);
        this.tombstones = new RocksTombstones(database);
        this.script = script;
        this.digests = new HashMap<>(store.digests());
        long sequence = store.lastCommit().version().sequence();
        Trial.same("changes of the newest batch that are missing", sequence % Script.CHANGES, 0L);
        this.newest = sequence / Script.CHANGES;
    }

    @Override
    public long newest() {
        return newest;
    }

    /** Begins with what was to be tidied up after the batch before. That may be done already, or in part. */
    @Override
    public void write() {
        if (Housekeeping.isDueAfter(newest)) {
            outbox.markPublished(newest * Script.CHANGES);
            long gone = Housekeeping.goneAfter(newest);
            outbox.trim(gone);
            List<Tombstone> due = tombstones.due(ShardRows.timeOf(gone), Optional.empty(), Integer.MAX_VALUE);
            tombstones.remove(due);
        }
        List<Touch> touches = script.batch(newest + 1);
        moveDigests(touches);
        long last = (newest + 1) * Script.CHANGES;
        store.commit(new FactBatch(FactRows.changes(touches), FactRows.point(last), digests, Map.of()));
        newest++;
    }

    @Override
    public long check() {
        return new FactExpectation(script, newest).compare(store, outbox, tombstones);
    }

    @Override
    public void close() {
        database.close();
        resources.close();
    }

    /** By what the store has of the rows, as the writer does. */
    private void moveDigests(List<Touch> touches) {
        for (Touch touch : touches) {
            KeyBytes key = ShardRows.key(touch.row());
            StoredRow known = store.current(FactRows.TABLE, key);
            if (known != null) {
                Digest part = FactRows.part(key, known.version());
                FactRows.add(digests, touch.row(), Digest.EMPTY.minus(part));
            }
            if (FactRows.change(touch).event() instanceof ChangeEvent.Upserted upserted) {
                FactRows.add(digests, touch.row(), FactRows.part(key, upserted.version()));
            }
        }
    }

    private static WriterDatabase open(Path directory, RocksResources resources) {
        try {
            return WriterDatabase.open(directory, TestTables.CATALOG, resources);
        } catch (CatalogDisagreesException | NewerFormatException | FactsDamagedException e) {
            throw new IllegalStateException(e);
        }
    }
}
