package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Times;
import dev.tidemark.worker.store.ShardId;

/**
 * All rows of a batch, folded one by one.
 *
 * @param told up to where every change has been applied before the batch
 * @param now by this process's clock
 * @param writerNow the same moment by the writer's clock
 * @param latest no change that the writer committed bears a later time
 */
record BatchFold(ShardId shard, RowPlanner planner, Progress told, Instant now, Instant writerNow, Instant latest) {
    private static final Logger LOGGER = LoggerFactory.getLogger(BatchFold.class);

    /**
     * Adds what the batch changes.
     *
     * @param byRow the records of each row
     * @param states what is known of the rows, in the same order
     * @return what became of the records
     */
    Counts into(Changes changes, Map<KeyBytes, List<Decoded>> byRow, List<Optional<RowState>> states) {
        Iterator<Optional<RowState>> found = states.iterator();
        Counts counts = Counts.NONE;
        QuarantinedRecord first = null;
        for (Map.Entry<KeyBytes, List<Decoded>> row : byRow.entrySet()) {
            KeyBytes key = row.getKey();
            Optional<RowState> known = found.next();
            RowFold.Result result = RowFold.fold(planner, key, known, told, row.getValue());
            Optional<QuarantinedRecord> poison = result.poison().map(this::kept);
            if (result.plan().isPresent()) {
                changes.add(key, known, timed(result.plan().get(), result.committedAt()), poison);
            }
            first = first == null ? poison.orElse(null) : first;
            counts = counts.plus(result.counts());
        }
        if (first != null) {
            // Once a batch, so that a flood of them does not drown the log.
            LOGGER.warn(
                    "{} records of shard {} cannot be applied, the first at offset {}: {}",
                    counts.quarantined(),
                    shard,
                    first.offset(),
                    first.reason());
        }
        return counts;
    }

    private Plan.Applied timed(Plan.Applied plan, Optional<Instant> committedAt) {
        if (committedAt.filter(time -> !time.isAfter(latest)).isEmpty()) {
            return plan;
        }
        Instant committed = committedAt.get();
        return plan.at(Times.of(committed, writerNow.isAfter(committed) ? writerNow : committed));
    }

    private QuarantinedRecord kept(Decoded.Bad bad) {
        return new QuarantinedRecord(bad.source().offset(), bad.source().record(), bad.reason(), now);
    }
}
