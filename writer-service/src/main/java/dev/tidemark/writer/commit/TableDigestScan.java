package dev.tidemark.writer.commit;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;

/**
 * What a whole table gives to the digests of some generations, added up from a snapshot. The committer makes it and
 * hands it over; from then on it belongs to the thread that adds up, but for {@link #cancel()}.
 */
final class TableDigestScan implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(TableDigestScan.class);

    private final DigestLedger.Followed table;
    private final FactSnapshot snapshot;
    private final Map<DigestKey, Digest> sums = new HashMap<>();
    private volatile boolean cancelled;
    private boolean complete;
    private long unreadable;

    TableDigestScan(DigestLedger.Followed table, FactSnapshot snapshot) {
        this.table = table;
        this.snapshot = snapshot;
    }

    Set<Long> generations() {
        return table.generations();
    }

    /** Cancels the scan: its result is not needed any more. For any thread. */
    void cancel() {
        cancelled = true;
    }

    /** Adds up some rows more; false when there is nothing more to do. */
    boolean step(int rows) {
        for (int i = 0; i < rows && !cancelled; i++) {
            KeyedRow row = snapshot.next();
            if (row == null) {
                complete = true;
                return false;
            }
            add(row);
        }
        return !cancelled;
    }

    /** The digests; empty when it came to no end. */
    Optional<Map<DigestKey, Digest>> result() {
        return complete ? Optional.of(sums) : Optional.empty();
    }

    @Override
    public void close() {
        snapshot.close();
    }

    private void add(KeyedRow row) {
        table.digests(
                row.key(),
                row.stored().version(),
                termsOf(row),
                (key, digest) -> sums.merge(key, digest, Digest::plus));
    }

    /** A row that cannot be read gives nothing: no shard can have an entry of it either. */
    private Map<Long, EntryTerms> termsOf(KeyedRow row) {
        try {
            return table.terms().of(row.key(), row.stored().row());
        } catch (RuntimeException e) {
            if (unreadable++ == 0) {
                LOGGER.warn(
                        "A row of table {} as it is stored cannot be read",
                        table.table().name(),
                        e);
            }
            return Map.of();
        }
    }
}
