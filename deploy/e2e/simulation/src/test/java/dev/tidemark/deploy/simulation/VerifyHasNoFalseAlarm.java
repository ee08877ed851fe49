package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.verify.CannotVerifyException;
import dev.tidemark.worker.verify.FactReader;
import dev.tidemark.worker.verify.FactStream;
import dev.tidemark.worker.verify.Pacer;
import dev.tidemark.worker.verify.ShardWindow;
import dev.tidemark.worker.verify.VerifyPass;
import dev.tidemark.worker.verify.VerifyReport;
import dev.tidemark.worker.verify.VerifyRequest;
import dev.tidemark.worker.verify.WrongRow;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.StoredRow;

/**
 * A comparison of the table with its indexes finds nothing. Each one uses a snapshot of the table that was taken at the
 * time of the one before, so that a good many changes came in between. One that cannot be told says nothing.
 */
final class VerifyHasNoFalseAlarm implements Guarantee {
    private final boolean isFinal;
    private Optional<FactStream> earlier = Optional.empty();
    private boolean full;

    /**
     * Compares.
     *
     * @param isFinal whether all is applied: then a worker that has every shard can compare the table as it is now
     */
    VerifyHasNoFalseAlarm(boolean isFinal) {
        this.isFinal = isFinal;
    }

    @Override
    public List<String> violations(Watched watched) {
        if (watched.history().hasLost() && watched.writer().isUnsettled()) {
            // Tables that went back in time differ from their indexes until it is undone; that is no false alarm.
            earlier = Optional.empty();
            return List.of();
        }
        List<ShardWindow> shards = new ArrayList<>();
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            shards.add(new Window(watched, partition));
        }
        List<Generation> generations = watched
                .inForce()
                .generations(watched.table().name())
                .stream()
                .filter(generation -> isWhole(watched, generation))
                .toList();
        full = !full;
        VerifyRequest request = new VerifyRequest(
                watched.table(), generations, full ? VerifyRequest.Mode.FULL : VerifyRequest.Mode.QUICK);
        RowVersion now = watched.writer().facts().lastCommit().version();
        // Tables that went back in time have another writer process, which knows nothing of this stream.
        earlier = earlier.filter(stream -> stream.head().version().epoch() == now.epoch());
        FactStream snapshot = earlier.orElseGet(() -> snapshot(watched.writer().facts(), watched.facts()));
        earlier = Optional.of(snapshot(watched.writer().facts(), watched.facts()));
        try {
            VerifyReport report = new VerifyPass(
                            request,
                            new Told(watched.writer().facts(), snapshot),
                            shards,
                            MemoryBudget.unlimited().part("verification", 1),
                            new Impatience(),
                            new Nobody())
                    .run();
            return report.indexes().stream().allMatch(index -> index.total() == 0)
                    ? List.of()
                    : List.of("a comparison found " + report);
        } catch (CannotVerifyException e) {
            return isFinal && hasAll(watched) ? List.of("a comparison cannot be made: " + e.getMessage()) : List.of();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean hasAll(Watched watched) {
        return IntStream.range(0, watched.table().partitions())
                .allMatch(partition -> watched.applied(partition).isPresent());
    }

    /** Whether every shard has every row in it, as far as that is known. */
    private static boolean isWhole(Watched watched, Generation generation) {
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            try (Reading reading = new Reading(watched.readApplied(partition))) {
                if (!reading.isWhole(generation)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static FactStream snapshot(FactStore store, String table) {
        List<StreamedFact> rows = new ArrayList<>();
        try (FactSnapshot snapshot = store.snapshot(table)) {
            for (KeyedRow row = snapshot.next(); row != null; row = snapshot.next()) {
                rows.add(fact(row.key(), row.stored()));
            }
            return new Copy(
                    new FactStreamHead(
                            snapshot.point().version(), snapshot.point().time()),
                    rows.iterator());
        }
    }

    private static StreamedFact fact(KeyBytes key, StoredRow stored) {
        return new StreamedFact(key, stored.version(), Optional.of(stored.row()));
    }

    private record Copy(FactStreamHead head, Iterator<StreamedFact> rows) implements FactStream {
        @Override
        public @Nullable StreamedFact next() {
            return rows.hasNext() ? rows.next() : null;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    /** The writer: an older snapshot of the table, and rows as they are now. */
    private record Told(FactStore store, FactStream snapshot) implements FactReader {
        @Override
        public FactStream stream(TableDefinition table, boolean whole) {
            return snapshot;
        }

        @Override
        public Found find(TableDefinition table, List<KeyBytes> keys) {
            RowVersion now = store.lastCommit().version();
            List<Optional<StreamedFact>> rows = new ArrayList<>();
            for (KeyBytes key : keys) {
                StoredRow stored = store.find(DerivedTable.base(table.name()), key);
                rows.add(stored == null ? Optional.empty() : Optional.of(fact(key, stored)));
            }
            return new Found(now, now, rows, List.of());
        }
    }

    private record Window(Watched watched, int partition) implements ShardWindow {
        @Override
        public RowVersion through() {
            try (Reading reading = new Reading(watched.readApplied(partition))) {
                return reading.through();
            }
        }

        @Override
        public Optional<DigestFinding> digest(long generation) {
            return watched.applied(partition)
                    .flatMap(status -> Optional.ofNullable(status.digests().get(generation)));
        }

        @Override
        public ShardView open() throws CannotVerifyException {
            return watched.readApplied(partition)
                    .map(OpenShard.ShardSnapshot::view)
                    .orElseThrow(() -> new CannotVerifyException("the shard is not open"));
        }

        @Override
        public boolean repair(List<RowRepair> rows) {
            throw new AssertionError("nobody repairs here");
        }

        @Override
        public boolean correct(long generation, GenerationStats by) {
            throw new AssertionError("nobody corrects here");
        }

        @Override
        public void judge(long generation, VerificationResult proof) {
            throw new AssertionError("nobody judges here");
        }

        @Override
        public boolean isLeaving() {
            return false;
        }
    }

    /** How far a shard is, as a view of it shows. */
    private record Reading(Optional<OpenShard.ShardSnapshot> reading) implements AutoCloseable {
        RowVersion through() {
            return reading.map(open -> open.status().checkpoint().progress().through())
                    .orElse(RowVersion.NONE);
        }

        boolean isWhole(Generation generation) {
            return reading.flatMap(open -> open.view().checkpoint().generation(generation.id()))
                    .map(GenerationStatus::phase)
                    .filter(phase ->
                            phase instanceof GenerationState.Verifying || phase instanceof GenerationState.Ready)
                    .isPresent();
        }

        @Override
        public void close() {
            reading.ifPresent(open -> open.view().close());
        }
    }

    /** Takes things as they are. */
    private static final class Impatience implements Pacer {
        @Override
        public boolean until(BooleanSupplier condition) {
            return condition.getAsBoolean();
        }

        @Override
        public void worked() {
            // Goes on.
        }

        @Override
        public boolean again() {
            return false;
        }
    }

    private static final class Nobody implements VerifyPass.Listener {
        @Override
        public void differs(WrongRow row) {
            // The report tells.
        }

        @Override
        public void miscounts(ShardWindow shard, long generation, GenerationStats by) {
            // The report tells.
        }

        @Override
        public void passed(long rows) {
            // Nobody looks.
        }
    }
}
