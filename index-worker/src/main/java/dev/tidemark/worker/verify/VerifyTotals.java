package dev.tidemark.worker.verify;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.index.IndexDefinition;

/** What all passes so far came to, for meters. The verify thread writes, everybody may read. */
public final class VerifyTotals {
    private final Map<String, Long> divergence = new ConcurrentHashMap<>();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong repaired = new AtomicLong();

    /** Differences that the last pass over an index found; empty before the first. */
    public OptionalLong divergence(String qualifiedIndex) {
        Long found = divergence.get(qualifiedIndex);
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }

    /** Rows looked at. */
    public long rows() {
        return rows.get();
    }

    /** Rows put right. */
    public long repaired() {
        return repaired.get();
    }

    void passed(long more) {
        rows.addAndGet(more);
    }

    void repaired(long more) {
        repaired.addAndGet(more);
    }

    void found(VerifyReport report) {
        for (VerifyReport.OfGeneration index : report.indexes()) {
            IndexDefinition definition = index.generation().definition();
            divergence.put(DerivedTable.base(definition.table()) + "." + definition.name(), index.total());
        }
    }
}
