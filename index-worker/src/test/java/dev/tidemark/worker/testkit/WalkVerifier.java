package dev.tidemark.worker.testkit;

import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.apply.Proof;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationGoneException;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.Tally;

/**
 * Compares, within the shard, three accounts of a generation at one moment: the figures that were kept with every change,
 * the states of all rows, and the entries themselves. Memory does not grow with the table.
 */
public final class WalkVerifier implements ProofAgent.Prover {
    @Override
    public Proof prove(LiveShard shard, Generation generation) {
        try {
            Optional<LiveShard.Reading> reading = shard.read();
            if (reading.isEmpty()) {
                return new Proof.Undecided("the shard is not open");
            }
            try (ShardView view = reading.get().view()) {
                return prove(view, generation.id());
            }
        } catch (ShardClosedException | GenerationGoneException e) {
            return new Proof.Undecided(String.valueOf(e.getMessage()));
        }
    }

    private static Proof prove(ShardView view, long generation) {
        Optional<GenerationStatus> status = view.checkpoint().generation(generation);
        if (status.isEmpty()) {
            return new Proof.Undecided("the shard does not hold the generation");
        }
        Tally kept = status.get().tally();
        Tally byRows = Tally.NONE;
        long live = 0;
        try (RowScan scan = view.scanRows()) {
            for (; scan.isValid(); scan.next()) {
                live += scan.state().isLive() ? 1 : 0;
                byRows = byRows.plus(Tally.of(scan.primaryKey(), scan.state(), generation));
            }
        }
        if (!byRows.equals(kept) || live != byRows.rows()) {
            return new Proof.Different(live + " rows are live, their states give " + byRows + ", and kept was " + kept);
        }
        long entries = 0;
        Digest content = Digest.EMPTY;
        try (EntryScan scan = view.scan(generation, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                entries++;
                content = content.plus(EntryDigest.ofContent(scan.key(), EntryDigest.fingerprint(scan.carried())));
            }
        }
        return entries == kept.entries() && content.equals(kept.contentDigest())
                ? new Proof.Equal()
                : new Proof.Different("it holds " + entries + " entries of digest " + content
                        + ", and the states of its rows give " + kept.entries() + " of " + kept.contentDigest());
    }
}
