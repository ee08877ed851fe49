package dev.tidemark.worker.explain;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
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

/** Gives receipts for tokens. */
public record ReceiptService(Supplier<Definitions> definitions, RowLookup rows, WaiterLimit waiting, FactTable facts) {
    /**
     * Interval at which shards that restore or are not open yet are checked. A restoring shard applies changes without
     * a progress signal, and a shard that is not open may restore next.
     */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    /**
     * Returns the receipt for a token. Waits until all of the write is decided, up to the timeout.
     *
     * @throws BadTokenException when the token cannot have been issued for its table
     * @throws NoReceiptException when there is no such write, as far as the shard and the writer know
     * @throws NotAnswerableException when this process does not hold the partition, or too many requests wait already
     */
    public Receipt ask(SessionToken token, Duration patience)
            throws BadTokenException, NoReceiptException, NotAnswerableException, InterruptedException {
        ResolvedToken resolved = ResolvedToken.of(definitions.get(), token);
        Duration left = patience;
        while (left.compareTo(Duration.ZERO) > 0 && !isDecided(resolved)) {
            Duration turn = mayRestore(resolved) && left.compareTo(LOOK_AGAIN) > 0 ? LOOK_AGAIN : left;
            if (!waiting.await(() -> isPassed(resolved), turn)) {
                throw new NotAnswerableException("too many requests wait for progress already");
            }
            left = left.minus(turn);
        }
        Receipt receipt = receipt(resolved);
        return receipt instanceof Receipt.OfRow row ? checked(resolved, row) : receipt;
    }

    /**
     * Compares with the writer, which is asked after the shard was looked at. A write that does not come may never have
     * been: what is committed never has an older version than a token. What is said to have replaced the write must be
     * the writer's.
     */
    private Receipt.OfRow checked(ResolvedToken resolved, Receipt.OfRow receipt)
            throws NoReceiptException, InterruptedException {
        Optional<RowVersion> by = receipt.supersededBy();
        if (receipt.isDecided() && by.isEmpty()) {
            return receipt;
        }
        Optional<RowVersion> committed;
        try {
            committed = facts.version(resolved.table(), receipt.key());
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

    private boolean isDecided(ResolvedToken resolved) throws NoReceiptException {
        try {
            return receipt(resolved).isDecided();
        } catch (NotAnswerableException e) {
            // The partition may come while we wait.
            return false;
        }
    }

    private Receipt receipt(ResolvedToken resolved) throws NoReceiptException, NotAnswerableException {
        Optional<WrittenRow> row = resolved.token().row();
        return row.isPresent() ? ofRow(resolved, row.get()) : ofMany(resolved);
    }

    private Receipt.OfRow ofRow(ResolvedToken resolved, WrittenRow row)
            throws NoReceiptException, NotAnswerableException {
        RowVersion version = resolved.version();
        RowSnapshot sight = rows.look(resolved.table(), row.key());
        ReceiptRule rule = new ReceiptRule(row, version, sight);
        ReceiptRule.Finding finding = rule.finding();
        List<Receipt.OfIndex> statuses = new ArrayList<>();
        for (DesiredIndex index : resolved.plan().indexes()) {
            sight.servingOrRestoring(index)
                    .ifPresent(generation -> statuses.add(
                            new Receipt.OfIndex(generation.definition(), rule.status(finding, generation.id()))));
        }
        Optional<RowState.Times> times =
                sight.row().filter(state -> state.version().equals(version)).flatMap(RowState::times);
        int partition = resolved.table().partitionOf(row.key());
        return new Receipt.OfRow(resolved.table(), partition, version, row.key(), row.deleted(), times, statuses);
    }

    private Receipt.OfMany ofMany(ResolvedToken resolved) throws NoReceiptException, NotAnswerableException {
        List<Receipt.Share> shares = new ArrayList<>();
        for (int partition : new TreeMap<>(resolved.versions()).keySet()) {
            shares.add(share(resolved, partition));
        }
        Optional<String> lacking =
                shares.stream().flatMap(share -> share.lacking().stream()).findFirst();
        if (lacking.isPresent()
                && shares.stream().allMatch(share -> share.lacking().isPresent())) {
            throw new NotAnswerableException(lacking.get());
        }
        return new Receipt.OfMany(resolved.table(), shares);
    }

    private Receipt.Share share(ResolvedToken resolved, int partition) throws NoReceiptException {
        RowVersion version = resolved.versions().getOrDefault(partition, RowVersion.NONE);
        try {
            OpenShard shard = rows.shard(resolved.table(), partition);
            Optional<ShardStatus> status = shard.status();
            Progress progress =
                    status.map(known -> known.checkpoint().progress()).orElse(Progress.UNKNOWN);
            NoReceiptException.requireEpoch(version, progress.through());
            return new Receipt.Share(
                    partition,
                    version,
                    progress.covers(version),
                    PendingEstimate.of(version, progress, rows.eta(shard)),
                    status.map(known -> known.checkpoint().quarantined()).orElse(0L),
                    Optional.empty());
        } catch (NotAnswerableException e) {
            return new Receipt.Share(
                    partition, version, false, PendingEstimate.UNKNOWN, 0, Optional.of(String.valueOf(e.getMessage())));
        }
    }

    /** Looks into memory only. */
    private boolean isPassed(ResolvedToken resolved) {
        return resolved.versions().entrySet().stream()
                .allMatch(written -> status(resolved, written.getKey())
                        .filter(status -> status.checkpoint().progress().covers(written.getValue()))
                        .isPresent());
    }

    private boolean mayRestore(ResolvedToken resolved) {
        return resolved.versions().keySet().stream()
                .anyMatch(partition ->
                        status(resolved, partition).map(ShardStatus::restoring).orElse(true));
    }

    private Optional<ShardStatus> status(ResolvedToken resolved, int partition) {
        try {
            return rows.shard(resolved.table(), partition).status();
        } catch (NotAnswerableException e) {
            return Optional.empty();
        }
    }
}
