package dev.tidemark.worker.verify;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.verify.Difference.Kind;

/**
 * What a pass found.
 *
 * @param basis what was compared
 * @param watermark the moment at which table and indexes were compared
 * @param rowsByHome rows that were compared in each partition that is here, by {@linkplain Generation#home the table}
 *     whose shards hold the indexes
 * @param indexes one for each generation asked for
 */
public record VerifyReport(
        Basis basis, FactStreamHead watermark, Map<String, Long> rowsByHome, List<OfGeneration> indexes) {
    /** What a comparison was made of. */
    public enum Basis {
        /** Every row of the table, by its version at least. */
        ROWS,
        /** The digests of table and index, every entry, and a sample of the rows. */
        DIGESTS
    }

    public VerifyReport {
        rowsByHome = Map.copyOf(rowsByHome);
        indexes = List.copyOf(indexes);
    }

    /** Rows of the table that were compared. */
    public long rows() {
        return rows(rowsByHome);
    }

    /**
     * How many rows of one table the rows in all its homes are. A home with the partitions of the primary key has each
     * row once. One of a global index has a row in several partitions or in none, and counts where it is the only kind.
     */
    public static long rows(Map<String, Long> byHome) {
        boolean byKey = byHome.keySet().stream().anyMatch(home -> !DerivedTable.isByIndex(home));
        return byHome.entrySet().stream()
                .filter(home -> !byKey || !DerivedTable.isByIndex(home.getKey()))
                .mapToLong(Map.Entry::getValue)
                .max()
                .orElse(0);
    }

    /** Whether every index is equal to its table, in every partition. */
    public boolean isEqual() {
        return missingPartitions().isEmpty() && indexes.stream().allMatch(OfGeneration::isEqual);
    }

    /** Partitions of an index that are not here, of which nothing is said. */
    public Set<Integer> missingPartitions() {
        return indexes.stream()
                .flatMap(index -> index.missing().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What this pass and one over other shards of the table found together. */
    VerifyReport and(VerifyReport other) {
        Map<String, Long> rows = new HashMap<>(rowsByHome);
        other.rowsByHome.forEach((home, more) -> rows.merge(home, more, Long::sum));
        return new VerifyReport(
                basis == other.basis ? basis : Basis.ROWS,
                other.watermark.version().isAfter(watermark.version()) ? watermark : other.watermark,
                rows,
                Stream.concat(indexes.stream(), other.indexes.stream()).toList());
    }

    /** The same, with what is said of other generations. */
    VerifyReport beside(List<OfGeneration> others) {
        return new VerifyReport(
                basis,
                watermark,
                rowsByHome,
                Stream.concat(indexes.stream(), others.stream()).toList());
    }

    /** Bytes of the examples. */
    public long bytes() {
        return indexes.stream()
                .flatMap(index -> index.examples().stream())
                .mapToLong(Difference::bytes)
                .sum();
    }

    /** What differs in the partitions that are here, in a few words for a log; no character where nothing does. */
    public String summary() {
        return indexes.stream()
                .filter(index -> !index.isEqual())
                .map(index -> index.generation().definition().name() + " " + index.differences() + ", "
                        + index.undecided() + " undecided"
                        + (index.digestsAgree() ? "" : ", with wrong sums"))
                .collect(Collectors.joining("; "));
    }

    /**
     * What was found of one generation.
     *
     * @param entries entries that the index has
     * @param differences how many of each kind; a kind without any is not in it
     * @param wrong how many entries are wrong in each partition; one without any is not in it
     * @param undecided rows of which it could not be said
     * @param digestsAgree whether the digests and counts kept with the entries are those of the entries and of the row
     *     states
     * @param examples the first of each kind
     * @param proofs what the comparison came to in each partition that is here
     * @param missing the other partitions
     */
    public record OfGeneration(
            Generation generation,
            long entries,
            Map<Kind, Long> differences,
            Map<Integer, Long> wrong,
            long undecided,
            boolean digestsAgree,
            List<Difference> examples,
            SortedMap<Integer, VerificationResult> proofs,
            List<Integer> missing) {
        public OfGeneration {
            missing = List.copyOf(missing);
            differences = new EnumMap<>(differences.isEmpty() ? new EnumMap<>(Kind.class) : differences);
            wrong = Map.copyOf(wrong);
            examples = List.copyOf(examples);
            proofs = Collections.unmodifiableSortedMap(new TreeMap<>(proofs));
        }

        /** What is said of a generation of which no partition was compared. */
        static OfGeneration missing(Generation generation, int partitions) {
            List<Integer> all = IntStream.range(0, partitions).boxed().toList();
            return new OfGeneration(generation, 0, Map.of(), Map.of(), 0, true, List.of(), new TreeMap<>(), all);
        }

        /** How many differences of a kind. */
        public long count(Kind kind) {
            return differences.getOrDefault(kind, 0L);
        }

        /** All entries together that are wrong; rows in quarantine are not among them. */
        public long total() {
            return differences.entrySet().stream()
                    .filter(found -> found.getKey().isWrong())
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        /** Entries that the index has and should have. */
        public long valid() {
            return Math.max(0, entries - total() + count(Kind.MISSING));
        }

        /** Whether nothing differs, no row is in quarantine, nothing is left open, and the kept digests are right. */
        public boolean isEqual() {
            return total() == 0 && count(Kind.QUARANTINED) == 0 && undecided == 0 && digestsAgree;
        }
    }
}
