package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.verify.Difference.Kind;

/** What has been found of one generation so far: all of it counted, the first few kept. */
final class Findings {
    /** Differences of a kind that are kept. */
    static final int KEPT = 32;

    /** Bytes of all that are kept, beside the first of each kind. */
    private static final long KEPT_BYTES = 256L << 10;

    private final Generation generation;
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final SortedMap<Integer, Long> differences = new TreeMap<>();
    private final Set<Integer> open = new HashSet<>();
    private final List<Difference> examples = new ArrayList<>();
    private long exampleBytes;
    private long entries;
    private long undecided;
    private boolean digestsAgree = true;

    Findings(Generation generation) {
        this.generation = generation;
    }

    Generation generation() {
        return generation;
    }

    /** What a walk over the entries of a shard found. */
    void walked(EntryCheck.Result result) {
        entries += result.entries();
        digestsAgree &= result.digestsAgree();
    }

    void add(Difference difference) {
        if (difference.kind().isWrong()) {
            differences.merge(difference.partition(), 1L, Long::sum);
        }
        long count = counts.merge(difference.kind(), 1L, Long::sum);
        Difference example = difference.shortened();
        if (count == 1 || (count <= KEPT && exampleBytes + example.bytes() <= KEPT_BYTES)) {
            examples.add(example);
            exampleBytes += example.bytes();
        }
    }

    /** A row of a shard could not be judged. */
    void undecided(int partition) {
        undecided++;
        open.add(partition);
    }

    /** What was found in some partitions, while others are missing. */
    VerifyReport.OfGeneration report(List<Integer> partitions, List<Integer> missing) {
        SortedMap<Integer, VerificationResult> proofs = new TreeMap<>();
        partitions.forEach(partition -> proofs.put(partition, proof(partition)));
        return new VerifyReport.OfGeneration(
                generation, entries, counts, differences, undecided, digestsAgree, examples, proofs, missing);
    }

    private VerificationResult proof(int partition) {
        long wrong = differences.getOrDefault(partition, 0L);
        if (wrong > 0) {
            return new VerificationResult.Different(wrong + " entries are not as the table says");
        }
        return open.contains(partition)
                ? new VerificationResult.Undecided("rows of the shard could not be judged in time")
                : new VerificationResult.Equal();
    }
}
