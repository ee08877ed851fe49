package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.ShardView;

/**
 * Compares digests, and reads a sample of the facts only. Each shard's digest must equal the one that a heartbeat
 * carries for its partition, at a moment after the comparison began. A scan of the entries must give the digest that
 * the shard keeps. Any mismatch leaves the decision to a comparison of all rows.
 *
 * @param bytes memory for the recheck of a sample
 * @param manyRows number of rows from which on a proof waits for digests that are not known yet
 */
record DigestComparison(
        VerifyRequest request,
        FactReader facts,
        List<ShardWindow> shards,
        long bytes,
        Pacer patience,
        VerifyPass.Listener listener,
        long manyRows) {
    /** One entry out of this number is rechecked although it looks right. */
    private static final int SAMPLE = 100;

    /**
     * What came out.
     *
     * @param watermark the earliest of the moments at which a shard was found equal
     * @param rows rows of the shards
     * @param entries by the place of the generation in the request
     */
    record Equal(FactStreamHead watermark, long rows, List<Long> entries) {}

    /** Looks; empty when the rows have to be compared. */
    Optional<Equal> run() throws CannotVerifyException, InterruptedException {
        if (!isPromising()) {
            return Optional.empty();
        }
        RowVersion begun;
        try (FactReader.Found now = facts.find(request.table(), List.of())) {
            begun = now.from();
        }
        Doubts doubts = new Doubts();
        Recheck sampled = new Recheck(request.table(), request.homes(), facts, bytes, patience, doubts);
        List<Long> entries = new ArrayList<>();
        OptionalLong rows = walk(entries, sampled, begun.sequence());
        sampled.look();
        if (rows.isEmpty() || doubts.any) {
            return Optional.empty();
        }
        // The walk took a while, so that the mark has come in most cases.
        patience.until(() -> isKnownFrom(begun) || (isKnownFrom(RowVersion.NONE) && !isEqualFrom(RowVersion.NONE)));
        return isEqualFrom(begun) ? Optional.of(new Equal(watermark(), rows.getAsLong(), entries)) : Optional.empty();
    }

    /**
     * Walks over all entries.
     *
     * @param entries receives the number of them by the place of the generation in the request
     * @return rows of the shards; empty when entries are not those that a shard has counted
     */
    private OptionalLong walk(List<Long> entries, Recheck sampled, long salt)
            throws CannotVerifyException, InterruptedException {
        long rows = 0;
        long[] counts = new long[request.generations().size()];
        for (ShardWindow shard : shards) {
            try (ShardView view = shard.open()) {
                for (int i = 0; i < counts.length; i++) {
                    Generation generation = request.generations().get(i);
                    if (!scan(shard, view, generation, sampled, patience, salt)) {
                        return OptionalLong.empty();
                    }
                    counts[i] += view.checkpoint().entries(generation.id());
                }
                long here = rows(view);
                listener.passed(here);
                rows += here;
            }
        }
        Arrays.stream(counts).forEach(entries::add);
        return OptionalLong.of(rows);
    }

    /**
     * Adds up the entries of one generation in one shard as they are, and suspects a sample of them.
     *
     * @param sampled receives the entries in the sample
     * @param salt selects the sample; another number selects another sample
     * @return whether the entries are those that the shard has counted
     */
    static boolean scan(
            ShardWindow shard, ShardView view, Generation generation, Recheck sampled, Pacer patience, long salt)
            throws CannotVerifyException, InterruptedException {
        GenerationStats kept = view.checkpoint()
                .generation(generation.id())
                .orElseThrow(() -> new CannotVerifyException("generation " + generation.id() + " is gone"))
                .tally();
        Digest content = Digest.EMPTY;
        long entries = 0;
        try (EntryScan scan = view.scan(generation.id(), KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                KeyBytes key = scan.key();
                Digest digest = EntryDigest.ofContent(key, EntryDigest.fingerprint(scan.carried()));
                content = content.plus(digest);
                if (Math.floorMod(digest.low() + salt, SAMPLE) == 0) {
                    KeyBytes owner = EntryCheck.owner(key, generation.definition());
                    sampled.add(new Recheck.Row(shard, owner), generation.id(), Set.of(key));
                }
                entries++;
                patience.worked();
            }
        }
        return entries == kept.entries() && content.equals(kept.contentDigest());
    }

    private long rows(ShardView view) {
        return request.generations().stream()
                .flatMap(generation -> view.checkpoint().generation(generation.id()).stream())
                .mapToLong(held -> held.tally().rows())
                .max()
                .orElse(0);
    }

    /** Whether digests are equal so far, or may be found so sooner than rows are compared. */
    private boolean isPromising() throws CannotVerifyException {
        return isKnownFrom(RowVersion.NONE)
                ? isEqualFrom(RowVersion.NONE)
                : request.mode() == VerifyRequest.Mode.PROOF && rows() >= manyRows;
    }

    private long rows() throws CannotVerifyException {
        long rows = 0;
        for (ShardWindow shard : shards) {
            try (ShardView view = shard.open()) {
                rows += rows(view);
            }
        }
        return rows;
    }

    /** Whether all digests were equal when they were last compared, after every change up to a version. */
    private boolean isEqualFrom(RowVersion version) {
        return are(finding -> finding.isEqual() && !version.isAfter(finding.at()));
    }

    /** Whether all digests have been compared after every change up to a version. */
    private boolean isKnownFrom(RowVersion version) {
        return are(finding -> !version.isAfter(finding.at()));
    }

    private boolean are(Predicate<DigestFinding> so) {
        return !shards.isEmpty()
                && findings().allMatch(found -> found.filter(so).isPresent());
    }

    private FactStreamHead watermark() throws CannotVerifyException {
        return findings()
                .flatMap(Optional::stream)
                .min(Comparator.comparing(DigestFinding::at))
                .map(finding -> new FactStreamHead(finding.at(), finding.asOf()))
                .orElseThrow(() -> new CannotVerifyException("a shard is being closed"));
    }

    /** The finding about each generation in each shard. */
    private Stream<Optional<DigestFinding>> findings() {
        return shards.stream()
                .flatMap(shard -> request.generations().stream().map(generation -> shard.digest(generation.id())));
    }

    /** Whether a sampled row is not as it should be, or cannot be judged. */
    private static final class Doubts implements Recheck.Outcome {
        private boolean any;

        @Override
        public void judged(
                Recheck.Row row, RowObservation sight, Optional<StreamedFact> fact, List<Difference> differences) {
            any |= !differences.isEmpty();
        }

        @Override
        public void undecided(Recheck.Row row, long generation) {
            any = true;
        }
    }
}
