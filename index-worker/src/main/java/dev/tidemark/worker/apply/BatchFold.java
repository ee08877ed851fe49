package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Times;
import dev.tidemark.worker.store.ShardId;

/** All rows of a batch, folded one by one. */
final class BatchFold {
    private static final Logger LOGGER = LoggerFactory.getLogger(BatchFold.class);

    private final ShardId shard;
    private final RowPlanner planner;
    private final Instant now;
    private final Instant writerNow;
    private final Instant latest;
    private ApplyCounts counts = ApplyCounts.NONE;
    private Optional<QuarantinedRecord> first = Optional.empty();

    /**
     * A batch of which nothing is folded yet.
     *
     * @param now by this process's clock
     * @param writerNow the same moment by the writer's clock
     * @param latest no change that the writer committed has a later time
     */
    BatchFold(ShardId shard, RowPlanner planner, Instant now, Instant writerNow, Instant latest) {
        this.shard = shard;
        this.planner = planner;
        this.now = now;
        this.writerNow = writerNow;
        this.latest = latest;
    }

    /** Adds what the records of a row change. */
    void into(BatchChanges changes, KeyBytes key, Optional<RowState> known, List<DecodedRecord> records) {
        RowFold.Result result = RowFold.fold(planner, key, known, records);
        Optional<QuarantinedRecord> poison = result.poison().map(this::kept);
        if (result.plan().isPresent()) {
            changes.add(key, known, timed(result.plan().get(), result.committedAt()), poison);
        }
        first = first.or(() -> poison);
        counts = counts.plus(result.counts());
    }

    /** Logs the first record that cannot be applied and returns the counts of the batch. */
    ApplyCounts end() {
        // One line for each batch, so that many such records do not flood the log.
        first.ifPresent(bad -> LOGGER.warn(
                "{} records of shard {} cannot be applied, the first at offset {}: {}",
                counts.quarantined(),
                shard,
                bad.offset(),
                bad.reason()));
        return counts;
    }

    private RowChange.Applied timed(RowChange.Applied plan, Optional<Instant> committedAt) {
        if (committedAt.filter(time -> !time.isAfter(latest)).isEmpty()) {
            return plan;
        }
        Instant committed = committedAt.get();
        return plan.at(Times.of(committed, writerNow.isAfter(committed) ? writerNow : committed));
    }

    private QuarantinedRecord kept(DecodedRecord.Bad bad) {
        return new QuarantinedRecord(bad.source().offset(), bad.source().record(), bad.reason(), now);
    }
}
