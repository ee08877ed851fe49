package dev.tidemark.worker.generation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;

/**
 * Derives the lifecycle states of generations, and what they hold, from the shards of this process. While partitions of
 * a table are at other workers, a value for the whole generation is unknown, unless the shards here determine it. For
 * any thread.
 */
public record LifecycleStates(Shards shards) {
    /** The lifecycle state of a generation of a table's index. */
    public LifecycleState of(TableDefinition table, Generation generation) {
        TableDefinition home = generation.home(table);
        return LifecycleRule.besides(here(home, generation), elsewhere(home), home.partitions(), "this worker");
    }

    /** The lifecycle state by the shards of this worker only. */
    public LifecycleState here(TableDefinition table, Generation generation) {
        List<Optional<ShardLife>> held = new ArrayList<>();
        int closed = 0;
        for (OpenShard shard : shards.of(generation.home(table))) {
            Optional<ShardStatus> status = shard.status();
            if (status.isPresent()) {
                held.add(life(shard, status.get(), generation));
            } else {
                closed++;
            }
        }
        return LifecycleRule.of(held, closed);
    }

    /**
     * What a shard says of a generation; empty if it does not hold it yet. A shard of a derived table that the
     * writer has not filled yet is building it.
     */
    public static Optional<ShardLife> life(OpenShard shard, ShardStatus status, Generation generation) {
        Optional<ShardLife> life =
                status.checkpoint().generation(generation.id()).map(ShardLife::of);
        return generation.isDerived() && status.isBeingFilled()
                ? life.map(known -> known.filled(shard.isBuildPaused()))
                : life;
    }

    /** Whether a generation is equal to its table, by their digests. */
    public DigestEquality equality(TableDefinition table, Generation generation) {
        List<Optional<DigestFinding>> found = findings(table, generation);
        found.addAll(Collections.nCopies(elsewhere(generation.home(table)), Optional.empty()));
        return DigestEquality.of(found);
    }

    /** The same by the shards of this worker only. */
    public DigestEquality equalityHere(TableDefinition table, Generation generation) {
        return DigestEquality.of(findings(table, generation));
    }

    private List<Optional<DigestFinding>> findings(TableDefinition table, Generation generation) {
        List<Optional<DigestFinding>> found = new ArrayList<>();
        for (OpenShard shard : shards.of(generation.home(table))) {
            found.add(shard.status()
                    .flatMap(status -> Optional.ofNullable(status.digests().get(generation.id()))));
        }
        return found;
    }

    private int elsewhere(TableDefinition table) {
        return table.partitions() - shards.of(table).size();
    }

    /** What the open shards here hold of a generation, together. */
    public GenerationStats tally(TableDefinition table, Generation generation) {
        return statuses(table, generation).stream()
                .map(GenerationStatus::tally)
                .reduce(GenerationStats.NONE, GenerationStats::plus);
    }

    /** The status of a generation in each open shard of this worker that holds it. */
    public List<GenerationStatus> statuses(TableDefinition table, Generation generation) {
        return shards.checkpoints(generation.home(table)).stream()
                .flatMap(checkpoint -> checkpoint.generation(generation.id()).stream())
                .toList();
    }
}
