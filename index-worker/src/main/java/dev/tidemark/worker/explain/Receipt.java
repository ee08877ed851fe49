package dev.tidemark.worker.explain;

import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.store.RowState;

/** The receipt of a write: its status in each index, or in each partition for a write of many rows. */
public sealed interface Receipt {
    TableDefinition table();

    /** Whether waiting longer would change nothing but a newer write. */
    boolean isDecided();

    /**
     * The write of one row.
     *
     * @param partition the row's hash shard
     * @param version the version that the write made
     * @param times when that version was committed and applied; empty while it is pending, when a newer version has
     *     replaced it, and where the times were not recorded
     * @param indexes status of the write in each index that answers queries
     */
    record OfRow(
            TableDefinition table,
            int partition,
            RowVersion version,
            KeyBytes key,
            boolean deleted,
            Optional<RowState.Times> times,
            List<OfIndex> indexes)
            implements Receipt {
        public OfRow {
            indexes = List.copyOf(indexes);
        }

        /** The version that took its place, where a later one did that is known. */
        Optional<RowVersion> supersededBy() {
            return indexes.stream()
                    .filter(one -> one.status().kind() == Kind.SUPERSEDED)
                    .flatMap(one -> one.status().held().stream())
                    .findFirst();
        }

        /** The same with one status for every index. */
        OfRow with(RowStatus status) {
            List<OfIndex> all = indexes.stream()
                    .map(one -> new OfIndex(one.index(), status))
                    .toList();
            return new OfRow(table, partition, version, key, deleted, times, all);
        }

        @Override
        public boolean isDecided() {
            return indexes.stream().noneMatch(one -> one.status().kind() == Kind.PENDING);
        }
    }

    /** The status of the write in one index. */
    record OfIndex(IndexDefinition index, RowStatus status) {}

    /**
     * The write of many rows, by partition, in order.
     *
     * @param shares what was written to each partition
     * @param late the global indexes that do not show all of it yet, by their names
     */
    record OfMany(TableDefinition table, List<Share> shares, List<String> late) implements Receipt {
        public OfMany {
            shares = List.copyOf(shares);
            late = List.copyOf(late);
        }

        @Override
        public boolean isDecided() {
            return late.isEmpty() && shares.stream().allMatch(Share::visible);
        }
    }

    /**
     * The part of a write that went to one partition.
     *
     * @param version the newest version of it
     * @param visible whether all of it is applied
     * @param ahead what the newest version waits for
     * @param quarantined number of quarantined records of the partition, which may include rows of this write
     * @param lacking why nothing is known of this partition; empty when its status is known
     */
    record Share(
            int partition,
            RowVersion version,
            boolean visible,
            PendingEstimate ahead,
            long quarantined,
            Optional<String> lacking) {}
}
