package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.StoredRow;

/**
 * A fact store that may end the process around a commit, and writes down what was committed. Now and then it refuses a
 * commit for want of room, or the disk fails at a write: that one is not seen until the process is started again, and
 * may be there then, and no further write is taken until then.
 */
final class FallibleFactStore implements FactStore {
    private static final int NO_ROOM = 60;
    private static final int DISK_FAILS = 150;

    private final FactStore store;
    private final RandomSource chance;
    private final Histories histories;
    private final Optional<SimulatedShop> shop;
    private final Clock trueTime;
    private final Rule broken;
    private final Runnable beforeCommit;
    private boolean failed;
    private Runnable doubtful = () -> {};

    FallibleFactStore(
            FactStore store,
            RandomSource chance,
            Histories histories,
            Optional<SimulatedShop> shop,
            Clock trueTime,
            Rule broken,
            Runnable beforeCommit) {
        this.beforeCommit = beforeCommit;
        this.broken = broken;
        this.store = store;
        this.chance = chance;
        this.histories = histories;
        this.shop = shop;
        this.trueTime = trueTime;
    }

    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        return store.find(table, key);
    }

    @Override
    public @Nullable StoredRow current(String table, KeyBytes key) {
        return store.current(table, key);
    }

    @Override
    public List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys) {
        return store.findAll(table, keys);
    }

    @Override
    public ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes) {
        return store.scan(table, afterKey, limit, maxBytes);
    }

    @Override
    public FactSnapshot snapshot(String table) {
        return store.snapshot(table);
    }

    @Override
    public Optional<SourcePosition> sourcePosition(String source) {
        return store.sourcePosition(source);
    }

    @Override
    public CommitPosition lastCommit() {
        return store.lastCommit();
    }

    @Override
    public void commit(FactBatch batch) {
        chance.failpoint(CoveragePoint.BEFORE_A_FACT_COMMIT);
        if (chance.faultOneIn(NO_ROOM)) {
            chance.meet(CoveragePoint.A_FACT_COMMIT_FAILED);
            throw new IllegalStateException("simulated want of room");
        }
        Instant now = trueTime.instant();
        onDisk(() -> {
            chance.meet(CoveragePoint.A_COMMIT_THAT_FAILED_WAS_THERE_LATER);
            commit(batch, now);
        });
        if (broken == Rule.AN_ATOMIC_REQUEST_IS_ONE_COMMIT && batch.changes().size() > 1) {
            commit(firstOf(batch), now);
            chance.seldomFailpoint(CoveragePoint.BETWEEN_TWO_COMMITS);
            commit(restOf(batch), now);
            return;
        }
        beforeCommit.run();
        commit(batch, now);
        chance.failpoint(CoveragePoint.AFTER_A_FACT_COMMIT);
    }

    private static FactBatch firstOf(FactBatch batch) {
        CommittedChange first = batch.changes().get(0);
        CommitPosition through =
                new CommitPosition(first.event().version(), batch.through().time());
        return new FactBatch(List.of(first), through, Map.of(), Map.of());
    }

    private static FactBatch restOf(FactBatch batch) {
        List<CommittedChange> rest = batch.changes().subList(1, batch.changes().size());
        return new FactBatch(rest, batch.through(), batch.digests(), batch.sources());
    }

    private void commit(FactBatch batch, Instant time) {
        Optional<SourcePosition> stood = store.sourcePosition(SimulatedShop.NAME);
        boolean apart = broken == Rule.DIGESTS_IN_THE_SAME_BATCH;
        store.commit(apart ? new FactBatch(batch.changes(), batch.through(), Map.of(), batch.sources()) : batch);
        histories.committed(batch.changes(), time);
        shop.ifPresent(source -> source.committed(batch, stood));
        if (apart) {
            chance.failpoint(CoveragePoint.BETWEEN_TWO_COMMITS);
            store.keepDigests(batch.digests(), Set.of());
        }
    }

    /**
     * A write is about to be made. Where the disk fails at it, it may be there later.
     *
     * @param later makes it then
     */
    private void onDisk(Runnable later) {
        if (!failed && chance.faultOneIn(DISK_FAILS)) {
            chance.meet(CoveragePoint.THE_DISK_OF_THE_WRITER_FAILED);
            failed = true;
            doubtful = chance.oneIn(2) ? later : doubtful;
        }
        if (failed) {
            throw new IllegalStateException("simulated failure of the disk");
        }
    }

    /** Whether the disk has failed, so that the process has to end. */
    boolean hasFailed() {
        return failed;
    }

    /** The process has ended, and the fact tables are opened again by the next one. */
    void openedAgain() {
        doubtful.run();
    }

    @Override
    public void reserveTimestamps(Instant time) {
        onDisk(() -> store.reserveTimestamps(time));
        store.reserveTimestamps(time);
    }

    @Override
    public void beginEpoch(CommitPosition at) {
        chance.seldomFailpoint(CoveragePoint.BEFORE_AN_EPOCH_BEGINS);
        onDisk(() -> store.beginEpoch(at));
        store.beginEpoch(at);
        chance.seldomFailpoint(CoveragePoint.AFTER_AN_EPOCH_BEGAN);
    }

    @Override
    public Map<DigestKey, Digest> digests() {
        return store.digests();
    }

    @Override
    public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
        chance.failpoint(CoveragePoint.BEFORE_DIGESTS_ARE_KEPT);
        onDisk(() -> store.keepDigests(known, gone));
        store.keepDigests(known, gone);
    }
}
