package dev.tidemark.worker.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * Returns the receipt for a token. The status of a write in an index is a pure function of the snapshot of its row in
 * the shard.
 */
public record ReceiptService(
        Supplier<Definitions> definitions, RowLookup rows, WaiterLimit waiting, GlobalReceipts global) {
    /**
     * Interval at which shards that restore or are not open yet are checked. A restoring shard applies changes without
     * a progress signal, and a shard that is not open may restore next.
     */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    /** What the snapshot of a row shows of one version of it. */
    private enum Finding {
        /** It has not come by yet. */
        PENDING,
        /** The row is as this version left it, or in quarantine because of it. */
        APPLIED,
        /** A newer version has taken its place. */
        SUPERSEDED,
        /** The row was deleted later, and the shard has since dropped its row state. */
        FORGOTTEN
    }

    /**
     * Returns the receipt for a token. Waits until all of the write is decided, up to the timeout.
     *
     * @param memory reserves the given number of bytes for a row of the writer, or throws
     * @throws BadTokenException when the token cannot have been issued for its table
     * @throws NoReceiptException when there is no such write, as far as the shard and the writer know
     * @throws NotAnswerableException when this process does not hold the partition, or too many requests wait already
     */
    public Receipt ask(SessionToken token, Duration patience, LongConsumer memory)
            throws BadTokenException, NoReceiptException, NotAnswerableException, InterruptedException {
        DesiredTable plan = tableOf(token);
        Duration left = patience;
        while (left.compareTo(Duration.ZERO) > 0 && !isDecided(plan, token)) {
            Duration turn = mayRestore(plan, token) && left.compareTo(LOOK_AGAIN) > 0 ? LOOK_AGAIN : left;
            await(() -> isPassed(plan, token), turn);
            left = left.minus(turn);
        }
        return token.row().isPresent() ? checked(ofRow(plan, token, token.row().get(), memory)) : ofMany(plan, token);
    }

    private void await(BooleanSupplier condition, Duration turn) throws NotAnswerableException, InterruptedException {
        if (!waiting.await(condition, turn)) {
            throw new NotAnswerableException("too many requests wait for progress already");
        }
    }

    /** The table of a token, which names partitions of it only, and no row but one that its partition can hold. */
    private DesiredTable tableOf(SessionToken token) throws NoReceiptException, BadTokenException {
        DesiredTable plan = definitions
                .get()
                .table(token.table())
                .orElseThrow(() -> new NoReceiptException(
                        false,
                        "expected a token of a table in the catalog of this worker, but got one of table "
                                + token.table() + "; it may be of another installation"));
        TableDefinition table = plan.definition();
        for (int partition : token.versions().keySet()) {
            boolean fits = partition >= 0
                    && partition < table.partitions()
                    && token.row()
                            .map(WrittenRow::key)
                            .filter(key -> !isAt(partition, key, table))
                            .isEmpty();
            if (!fits) {
                throw new BadTokenException("expected a token of table " + table.name() + " with its "
                        + table.partitions() + " partitions, but got one of another partition; it may be of another"
                        + " installation");
            }
        }
        return plan;
    }

    private static boolean isAt(int partition, KeyBytes key, TableDefinition table) {
        try {
            table.keyToJson(key);
            return table.partitionOf(key) == partition;
        } catch (MalformedKeyException e) {
            return false;
        }
    }

    /**
     * Compares with the writer, which is queried after the shard was read. A write that does not come may never have
     * been: what is committed never has an older version than a token. What is said to have replaced the write must be
     * the writer's.
     */
    private Receipt.OfRow checked(Receipt.OfRow receipt) throws NoReceiptException, InterruptedException {
        Optional<RowVersion> by = receipt.supersededBy();
        if (receipt.isDecided() && by.isEmpty()) {
            return receipt;
        }
        Optional<RowVersion> committed;
        try {
            committed = global.facts().version(receipt.table(), receipt.key());
        } catch (NotAnswerableException e) {
            return receipt;
        }
        if (!receipt.isDecided() && committed.filter(receipt.version()::isAfter).isPresent()) {
            throw new NoReceiptException(
                    false,
                    "no write of version " + receipt.version()
                            + " was ever committed, as far as the writer knows: the row has version "
                            + committed.get() + " there; the token may be of another installation");
        }
        return by.isPresent() && committed.filter(by.get()::isAfter).isPresent()
                ? receipt.with(RowStatus.of(Kind.INCONSISTENT, new RowPosition.Unknown())
                        .versions(committed, by))
                : receipt;
    }

    /**
     * Whether the receipt would be decided now. A request that waits repeats this, so it reads what this process has,
     * and neither calls the writer nor reserves memory.
     */
    private boolean isDecided(DesiredTable plan, SessionToken token) throws NoReceiptException {
        try {
            return token.row().isPresent()
                    ? isDecidedHere(plan, token, token.row().get())
                            && late(plan, token).isEmpty()
                    : ofMany(plan, token).isDecided();
        } catch (NotAnswerableException e) {
            // The partition may come while the request waits.
            return false;
        }
    }

    /** Whether a write is decided in the indexes that the partition of its row holds. */
    private boolean isDecidedHere(DesiredTable plan, SessionToken token, WrittenRow row)
            throws NoReceiptException, NotAnswerableException {
        global.requireNotes(plan);
        TableDefinition table = plan.definition();
        RowVersion version = versionOf(token);
        RowSnapshot sight = rows.look(table, row.key());
        Finding finding = finding(row, version, sight);
        return plan.indexes().stream()
                .filter(index -> global.answering(table, index).isEmpty())
                .flatMap(index -> here(index, finding, version, sight).stream())
                .noneMatch(one -> one.status().kind() == Kind.PENDING);
    }

    private static RowVersion versionOf(SessionToken ofRow) {
        return ofRow.versions().values().iterator().next();
    }

    private Receipt.OfRow ofRow(DesiredTable plan, SessionToken token, WrittenRow row, LongConsumer memory)
            throws NoReceiptException, NotAnswerableException, InterruptedException {
        global.requireNotes(plan);
        TableDefinition table = plan.definition();
        RowVersion version = versionOf(token);
        RowSnapshot sight = rows.look(table, row.key());
        Finding finding = finding(row, version, sight);
        List<Receipt.OfIndex> statuses = new ArrayList<>();
        for (DesiredIndex index : plan.indexes()) {
            Optional<Generation> other = global.answering(table, index);
            if (other.isPresent()) {
                statuses.add(new Receipt.OfIndex(
                        other.get().definition(), global.status(table, other.get(), version, row, memory)));
            } else {
                here(index, finding, version, sight).ifPresent(statuses::add);
            }
        }
        Optional<RowState.Times> times =
                sight.row().filter(state -> state.version().equals(version)).flatMap(RowState::times);
        return new Receipt.OfRow(
                table, table.partitionOf(row.key()), version, row.key(), row.deleted(), times, statuses);
    }

    /** The status in an index that the partition of the row holds; empty where it holds no generation to answer. */
    private static Optional<Receipt.OfIndex> here(
            DesiredIndex index, Finding finding, RowVersion version, RowSnapshot sight) {
        return sight.servingOrRestoring(index)
                .filter(generation -> !generation.isDerived())
                .map(generation ->
                        new Receipt.OfIndex(generation.definition(), status(finding, version, sight, generation.id())));
    }

    private static Finding finding(WrittenRow written, RowVersion version, RowSnapshot sight)
            throws NoReceiptException {
        Progress progress = sight.progress();
        Optional<RowState> row = sight.row();
        if (row.isPresent() && !version.isAfter(row.get().version())) {
            RowVersion newest = row.get().version();
            if (newest.equals(version)) {
                return Finding.APPLIED;
            }
            NoReceiptException.requireEpoch(version, newest);
            return Finding.SUPERSEDED;
        }
        if (!progress.covers(version)) {
            return Finding.PENDING;
        }
        NoReceiptException.requireEpoch(version, progress.through());
        if (row.isEmpty()) {
            return written.deleted() ? Finding.APPLIED : Finding.FORGOTTEN;
        }
        // A record whose version cannot be read stands for every version after the row's own.
        if (row.get().standing() == Standing.POISONED_PAST) {
            return Finding.APPLIED;
        }
        throw new NoReceiptException(
                false,
                "the partition is complete up to version " + progress.through() + ", which is past version " + version
                        + " of this token, but the row has version " + row.get().version()
                        + "; no such write was committed here, so the token may be of another installation");
    }

    private static RowStatus status(Finding finding, RowVersion version, RowSnapshot sight, long generation) {
        RowPosition place = RowPosition.of(sight, generation);
        if (finding == Finding.PENDING || sight.isRestoring(generation)) {
            return RowStatus.of(Kind.PENDING, new RowPosition.Unknown())
                    .waiting(PendingEstimate.of(version, sight.progress(), sight.eta()), new RowPosition.Unknown());
        }
        if (finding == Finding.FORGOTTEN) {
            return RowStatus.of(Kind.SUPERSEDED, new RowPosition.Deleted());
        }
        if (finding == Finding.APPLIED && place instanceof RowPosition.Quarantined) {
            return RowStatus.of(Kind.QUARANTINED, place);
        }
        Optional<Instant> since = sight.row().flatMap(RowState::times).map(RowState.Times::appliedAt);
        if (finding == Finding.SUPERSEDED) {
            return RowStatus.of(Kind.SUPERSEDED, place)
                    .versions(Optional.empty(), sight.row().map(RowState::version))
                    .since(since);
        }
        Kind visible = place instanceof RowPosition.LeftOut ? Kind.NOT_APPLICABLE : Kind.VISIBLE;
        return RowStatus.of(visible, place).since(since);
    }

    private Receipt.OfMany ofMany(DesiredTable plan, SessionToken token)
            throws NoReceiptException, NotAnswerableException {
        global.requireNotes(plan);
        TableDefinition table = plan.definition();
        List<Receipt.Share> shares = new ArrayList<>();
        for (Map.Entry<Integer, RowVersion> written : new TreeMap<>(token.versions()).entrySet()) {
            shares.add(share(table, written.getKey(), written.getValue()));
        }
        Optional<String> lacking =
                shares.stream().flatMap(share -> share.lacking().stream()).findFirst();
        if (lacking.isPresent()
                && shares.stream().allMatch(share -> share.lacking().isPresent())) {
            throw new NotAnswerableException(lacking.get());
        }
        return new Receipt.OfMany(table, shares, late(plan, token));
    }

    private Receipt.Share share(TableDefinition table, int partition, RowVersion version) throws NoReceiptException {
        try {
            OpenShard shard = rows.shard(table, partition);
            Optional<ShardCheckpoint> checkpoint = status(shard).map(ShardStatus::checkpoint);
            Progress progress = checkpoint.map(ShardCheckpoint::progress).orElse(Progress.UNKNOWN);
            NoReceiptException.requireEpoch(version, progress.through());
            return new Receipt.Share(
                    partition,
                    version,
                    progress.covers(version),
                    PendingEstimate.of(version, progress, rows.lag().drain(shard)),
                    checkpoint.map(ShardCheckpoint::quarantined).orElse(0L),
                    Optional.empty());
        } catch (NotAnswerableException e) {
            return new Receipt.Share(
                    partition, version, false, PendingEstimate.UNKNOWN, 0, Optional.of(String.valueOf(e.getMessage())));
        }
    }

    /**
     * The global indexes of the table of a token that do not show all of its write yet, by their names. Waits until it
     * is known what other workers have of them, up to the timeout.
     *
     * @throws NotAnswerableException when it is not known then, or too many requests wait already
     */
    public List<String> late(SessionToken token, Duration patience)
            throws NotAnswerableException, InterruptedException {
        Optional<DesiredTable> found = definitions.get().table(token.table());
        if (found.isEmpty()) {
            return List.of();
        }
        DesiredTable plan = found.get();
        Duration left = patience;
        while (left.compareTo(Duration.ZERO) > 0 && !global.areNotesRead(plan)) {
            // No signal comes once they are read.
            Duration turn = left.compareTo(LOOK_AGAIN) > 0 ? LOOK_AGAIN : left;
            await(() -> global.areNotesRead(plan), turn);
            left = left.minus(turn);
        }
        global.requireNotes(plan);
        return late(plan, token);
    }

    private List<String> late(DesiredTable plan, SessionToken token) {
        return token.versions().values().stream()
                .max(Comparator.naturalOrder())
                .map(newest -> global.late(plan, newest))
                .orElse(List.of());
    }

    /** Whether it is known that every partition of the write has passed it. Reads memory only. */
    private boolean isPassed(DesiredTable plan, SessionToken token) {
        return global.areNotesRead(plan)
                && late(plan, token).isEmpty()
                && token.versions().entrySet().stream()
                        .allMatch(written -> status(plan, written.getKey())
                                .filter(status -> status.checkpoint().progress().covers(written.getValue()))
                                .isPresent());
    }

    private boolean mayRestore(DesiredTable plan, SessionToken token) {
        return global.mayBeElsewhere(plan)
                || token.versions().keySet().stream()
                        .anyMatch(partition -> status(plan, partition)
                                .map(ShardStatus::restoring)
                                .orElse(true));
    }

    private Optional<ShardStatus> status(DesiredTable plan, int partition) {
        try {
            return status(rows.shard(plan.definition(), partition));
        } catch (NotAnswerableException e) {
            return Optional.empty();
        }
    }

    /** How a shard is doing. What is known of a closed one is no longer there for queries, so it shows nothing. */
    private static Optional<ShardStatus> status(OpenShard shard) {
        return Optional.of(shard).filter(OpenShard::isReadable).flatMap(OpenShard::status);
    }
}
