package dev.tidemark.worker.backfill;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

/**
 * Until when the generation before the current one of an index is kept. For any thread.
 *
 * @param window how long a rollback must stay possible without a build, from when the current generation was ready in
 *     every shard
 */
public record RollbackWindow(Shards shards, Duration window) {
    /**
     * When the window ends, by the shards here. Empty for an index without a previous generation. Also empty while the
     * current generation is not ready in every shard, because the window has not begun, and where no shard is here.
     */
    public Optional<Instant> end(TableDefinition table, DesiredIndex index) {
        List<OpenShard> held = shards.of(index.current().home(table));
        if (index.previous().isEmpty() || held.isEmpty()) {
            return Optional.empty();
        }
        return end(held.stream()
                .map(shard -> shard.status()
                        .flatMap(status ->
                                status.checkpoint().generation(index.current().id()))
                        .flatMap(RollbackWindow::readySince))
                .toList());
    }

    /** Since when a shard answers from a generation; empty where the generation is not ready in it. */
    public static Optional<Instant> readySince(GenerationStatus generation) {
        return generation.phase() instanceof GenerationState.Ready ? generation.servedSince() : Optional.empty();
    }

    /**
     * When the window ends.
     *
     * @param readySince what {@link #readySince} gives for the current generation, of every shard of the table
     */
    public Optional<Instant> end(List<Optional<Instant>> readySince) {
        return readySince.stream().allMatch(Optional::isPresent)
                ? readySince.stream()
                        .flatMap(Optional::stream)
                        .max(Instant::compareTo)
                        .map(last -> last.plus(window))
                : Optional.empty();
    }
}
