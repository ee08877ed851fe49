package dev.tidemark.worker.receipt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.IndexPlan;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.explain.Ahead;
import dev.tidemark.worker.explain.FactTable;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.explain.RowSight;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.WaitingRoom;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.store.RowState;

/** Gives receipts for tokens. */
public final class ReceiptDesk {
    /**
     * A shard that restores takes a change in without telling of progress, and one that is not open yet may restore next. So
     * they are looked at again at intervals; the bell only rings for what is told.
     */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    private final Supplier<Definitions> definitions;
    private final RowLookup rows;
    private final WaitingRoom waiting;
    private final FactTable facts;

    /** A desk whose guests wait in that room, and that asks the writer about writes that do not come. */
    public ReceiptDesk(Supplier<Definitions> definitions, RowLookup rows, WaitingRoom waiting, FactTable facts) {
        this.definitions = definitions;
        this.rows = rows;
        this.waiting = waiting;
        this.facts = facts;
    }

    /**
     * The receipt for a token, after waiting until all of it is decided, or for as long as patience lasts.
     *
     * @throws BadTokenException when the token cannot have been given out for its table
     * @throws NoReceiptException when there is no such write, as far as anybody knows
     * @throws NotAnswerableException when this process does not hold the partition, or too many wait already
     */
    public Receipt ask(SessionToken token, Duration patience)
            throws BadTokenException, NoReceiptException, NotAnswerableException, InterruptedException {
        Ticket ticket = Ticket.of(definitions.get(), token);
        Duration left = patience;
        while (left.compareTo(Duration.ZERO) > 0 && !isDecided(ticket)) {
            Duration turn = mayRestore(ticket) && left.compareTo(LOOK_AGAIN) > 0 ? LOOK_AGAIN : left;
            if (!waiting.await(() -> isPassed(ticket), turn)) {
                throw new NotAnswerableException("too many requests wait for progress already");
            }
            left = left.minus(turn);
        }
        Receipt receipt = receipt(ticket);
        if (!receipt.isDecided() && token.row().isPresent()) {
            requireCommitted(ticket, token.row().get());
        }
        return receipt instanceof Receipt.OfRow row ? checked(ticket, row) : receipt;
    }

    /** What is said to have replaced the write must be the writer's. The writer is asked after the shard was looked at. */
    private Receipt.OfRow checked(Ticket ticket, Receipt.OfRow receipt) throws InterruptedException {
        Optional<RowVersion> by = receipt.supersededBy();
        if (by.isEmpty()) {
            return receipt;
        }
        try {
            Optional<RowVersion> committed = facts.version(ticket.table(), receipt.key());
            return committed.isPresent() && by.get().isAfter(committed.get())
                    ? receipt.with(new Verdict.Inconsistent(by.get(), committed.get()))
                    : receipt;
        } catch (NotAnswerableException e) {
            return receipt;
        }
    }

    private boolean isDecided(Ticket ticket) throws NoReceiptException {
        try {
            return receipt(ticket).isDecided();
        } catch (NotAnswerableException e) {
            // The partition may come while we wait.
            return false;
        }
    }

    private Receipt receipt(Ticket ticket) throws NoReceiptException, NotAnswerableException {
        Optional<WrittenRow> row = ticket.token().row();
        return row.isPresent() ? ofRow(ticket, row.get()) : ofMany(ticket);
    }

    private Receipt.OfRow ofRow(Ticket ticket, WrittenRow row) throws NoReceiptException, NotAnswerableException {
        RowVersion version = ticket.version();
        RowSight sight = rows.look(ticket.table(), row.key());
        Finding finding = Finding.of(row, version, sight);
        if (finding instanceof Finding.OtherEpoch other) {
            throw otherEpoch(version, other.through());
        }
        if (finding instanceof Finding.NeverSeen never) {
            throw new NoReceiptException(
                    false,
                    "the partition is complete up to version " + never.through() + ", which is past version " + version
                            + " of this token, but the row has "
                            + never.newest().map(newest -> "version " + newest).orElse("none")
                            + "; no such write was committed here, so the token may be of another installation");
        }
        List<Receipt.OfIndex> verdicts = new ArrayList<>();
        for (IndexPlan index : ticket.plan().indexes()) {
            sight.servingOrRestoring(index)
                    .ifPresent(generation -> verdicts.add(new Receipt.OfIndex(
                            generation.definition(), Verdict.of(finding, version, sight, generation.id()))));
        }
        Optional<RowState.Times> times =
                sight.row().filter(state -> state.version().equals(version)).flatMap(RowState::times);
        int partition = ticket.table().partitionOf(row.key());
        return new Receipt.OfRow(ticket.table(), partition, version, row.key(), row.deleted(), times, verdicts);
    }

    private Receipt.OfMany ofMany(Ticket ticket) throws NoReceiptException, NotAnswerableException {
        List<Receipt.Share> shares = new ArrayList<>();
        for (int partition : new TreeMap<>(ticket.versions()).keySet()) {
            shares.add(share(ticket, partition));
        }
        Optional<String> lacking =
                shares.stream().flatMap(share -> share.lacking().stream()).findFirst();
        if (lacking.isPresent()
                && shares.stream().allMatch(share -> share.lacking().isPresent())) {
            throw new NotAnswerableException(lacking.get());
        }
        return new Receipt.OfMany(ticket.table(), shares);
    }

    private Receipt.Share share(Ticket ticket, int partition) throws NoReceiptException {
        RowVersion version = ticket.versions().getOrDefault(partition, RowVersion.NONE);
        try {
            LiveShard shard = rows.shard(ticket.table(), partition);
            Optional<ShardStatus> status = shard.status();
            Progress progress =
                    status.map(known -> known.checkpoint().progress()).orElse(Progress.UNKNOWN);
            if (version.epoch() < progress.through().epoch()) {
                throw otherEpoch(version, progress.through());
            }
            return new Receipt.Share(
                    partition,
                    version,
                    progress.covers(version),
                    Ahead.of(version, progress, rows.eta(shard)),
                    status.map(known -> known.checkpoint().quarantined()).orElse(0L),
                    Optional.empty());
        } catch (NotAnswerableException e) {
            return new Receipt.Share(
                    partition, version, false, Ahead.UNKNOWN, 0, Optional.of(String.valueOf(e.getMessage())));
        }
    }

    /** Looks into memory only. */
    private boolean isPassed(Ticket ticket) {
        return ticket.versions().entrySet().stream()
                .allMatch(written -> status(ticket, written.getKey())
                        .filter(status -> status.checkpoint().progress().covers(written.getValue()))
                        .isPresent());
    }

    private boolean mayRestore(Ticket ticket) {
        return ticket.versions().keySet().stream()
                .anyMatch(partition ->
                        status(ticket, partition).map(ShardStatus::restoring).orElse(true));
    }

    private Optional<ShardStatus> status(Ticket ticket, int partition) {
        try {
            return rows.shard(ticket.table(), partition).status();
        } catch (NotAnswerableException e) {
            return Optional.empty();
        }
    }

    /** A write that does not come may never have been: what is committed never has an older version than a token. */
    private void requireCommitted(Ticket ticket, WrittenRow row) throws NoReceiptException, InterruptedException {
        Optional<RowVersion> current;
        try {
            current = facts.version(ticket.table(), row.key());
        } catch (NotAnswerableException e) {
            return;
        }
        RowVersion version = ticket.version();
        if (current.isPresent() && version.isAfter(current.get())) {
            throw new NoReceiptException(
                    false,
                    "no write of version " + version
                            + " was ever committed, as far as the writer knows: the row has version "
                            + current.get() + " there; the token may be of another installation");
        }
    }

    private static NoReceiptException otherEpoch(RowVersion version, RowVersion through) {
        return new NoReceiptException(
                true,
                "the token is of epoch " + version.epoch() + ", and the fact table is in epoch " + through.epoch()
                        + " now: it has gone back in time since, and whether the write survived that cannot be told;"
                        + " read the row to see");
    }
}
