package dev.tidemark.worker.life;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.Tally;

/**
 * Asks the shards of this process where generations are in their lives, and what they hold. What is said of a whole generation is not
 * known where partitions of its table are elsewhere, unless the shards here suffice to say it. For any thread.
 */
public final class Lives {
    private final Shards shards;

    public Lives(Shards shards) {
        this.shards = shards;
    }

    /** The life of a generation of a table's index. */
    public Life of(TableDefinition table, Generation generation) {
        return LifeRule.besides(here(table, generation), elsewhere(table), table.partitions());
    }

    /** The same as far as the shards here tell. */
    public Life here(TableDefinition table, Generation generation) {
        List<Optional<GenerationStatus>> held = new ArrayList<>();
        int closed = 0;
        for (LiveShard shard : shards.of(table)) {
            Optional<ShardStatus> status = shard.status();
            if (status.isPresent()) {
                held.add(status.get().checkpoint().generation(generation.id()));
            } else {
                closed++;
            }
        }
        return LifeRule.of(held, closed);
    }

    /** Whether a generation is equal to its table, by their digests. */
    public Equality equality(TableDefinition table, Generation generation) {
        List<Optional<DigestFinding>> found = new ArrayList<>(Collections.nCopies(elsewhere(table), Optional.empty()));
        for (LiveShard shard : shards.of(table)) {
            found.add(shard.status()
                    .flatMap(status -> Optional.ofNullable(status.digests().get(generation.id()))));
        }
        return Equality.of(found);
    }

    private int elsewhere(TableDefinition table) {
        return table.partitions() - shards.of(table).size();
    }

    /** What the open shards here hold of a generation, together. */
    public Tally tally(TableDefinition table, Generation generation) {
        return statuses(table, generation).stream().map(GenerationStatus::tally).reduce(Tally.NONE, Tally::plus);
    }

    /** What each open shard here that holds a generation says of it. */
    public List<GenerationStatus> statuses(TableDefinition table, Generation generation) {
        return shards.of(table).stream()
                .flatMap(shard -> shard.status().stream())
                .flatMap(status -> status.checkpoint().generation(generation.id()).stream())
                .toList();
    }
}
