package dev.tidemark.worker.forecast;

import java.util.function.Function;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.worker.advise.CostMeter;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

/** What times of a table are forecast from: what this worker has measured. For any thread. */
public record TableCosts(CostMeter meter, Shards shards) implements Function<DesiredTable, CostBasis> {
    @Override
    public CostBasis apply(DesiredTable table) {
        long rows = 0;
        long entries = 0;
        for (OpenShard shard : shards.of(table.definition())) {
            if (shard.status().isPresent()) {
                ShardCheckpoint checkpoint = shard.status().get().checkpoint();
                rows += checkpoint.liveRows();
                entries += checkpoint.generations().values().stream()
                        .map(GenerationStatus::tally)
                        .mapToLong(tally -> tally.entries())
                        .sum();
            }
        }
        return CostBasis.of(meter.perChange(table.name()), rows == 0 ? 1 : (double) entries / rows);
    }
}
