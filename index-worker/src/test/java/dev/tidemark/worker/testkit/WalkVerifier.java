package dev.tidemark.worker.testkit;

import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationGoneException;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardView;

/**
 * Compares, within the shard, three accounts of a generation at one moment: the figures that were kept with every
 * change, the states of all rows, and the entries themselves. Memory does not grow with the table.
 */
public final class WalkVerifier implements InstantVerifyAgent.Prover {
    @Override
    public VerificationResult prove(OpenShard shard, Generation generation) {
        try {
            Optional<OpenShard.ShardSnapshot> reading = shard.readApplied();
            if (reading.isEmpty()) {
                return new VerificationResult.Undecided("the shard is not open");
            }
            try (ShardView view = reading.get().view()) {
                return prove(view, generation.id());
            }
        } catch (ShardClosedException | GenerationGoneException e) {
            return new VerificationResult.Undecided(String.valueOf(e.getMessage()));
        }
    }

    private static VerificationResult prove(ShardView view, long generation) {
        Optional<GenerationStatus> status = view.checkpoint().generation(generation);
        if (status.isEmpty()) {
            return new VerificationResult.Undecided("the shard does not hold the generation");
        }
        GenerationStats kept = status.get().tally();
        GenerationStats byRows = GenerationStats.NONE;
        long live = 0;
        try (RowScan scan = view.scanRows()) {
            for (; scan.isValid(); scan.next()) {
                live += scan.state().isLive() ? 1 : 0;
                byRows = byRows.plus(GenerationStats.of(scan.primaryKey(), scan.state(), generation));
            }
        }
        if (!byRows.equals(kept) || live != byRows.rows()) {
            return new VerificationResult.Different(
                    live + " rows are live, their states give " + byRows + ", and kept was " + kept);
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
                ? new VerificationResult.Equal()
                : new VerificationResult.Different("it holds " + entries + " entries of digest " + content
                        + ", and the states of its rows give " + kept.entries() + " of " + kept.contentDigest());
    }
}
