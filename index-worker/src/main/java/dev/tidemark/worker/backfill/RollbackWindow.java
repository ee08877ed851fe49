package dev.tidemark.worker.backfill;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;

/**
 * Until when the generation before the current one of an index is kept. The window begins when the current generation
 * is ready in every shard. After a rollback, that may be weeks ago, so the window begins no earlier than the
 * definitions that made the generation current. For any thread.
 */
public final class RollbackWindow {
    private final Shards shards;
    private final Duration window;
    private final Map<String, InForce> inForce = new ConcurrentHashMap<>();

    /**
     * The generations of an index.
     *
     * @param since when definitions had them in this order first, as far as this process has seen. After its start that
     *     may be too late, which keeps a generation for longer
     */
    private record InForce(long current, Optional<Long> previous, Instant since) {}

    /**
     * Windows of that length.
     *
     * @param window how long a rollback must stay possible without a build
     */
    public RollbackWindow(Shards shards, Duration window) {
        this.shards = shards;
        this.window = window;
    }

    /**
     * When the window ends, by the shards here. Empty for an index without a previous generation. Also empty while the
     * current generation is not ready in every shard, because the window has not begun, and where no shard is here.
     */
    public Optional<Instant> end(TableDefinition table, DesiredIndex index) {
        List<OpenShard> held = shards.of(index.current().home(table));
        if (index.previous().isEmpty() || held.isEmpty()) {
            return Optional.empty();
        }
        List<Optional<Instant>> ready = held.stream()
                .map(shard -> shard.status()
                        .flatMap(status ->
                                status.checkpoint().generation(index.current().id()))
                        .flatMap(RollbackWindow::readySince))
                .toList();
        return end(index, ready);
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
    public Optional<Instant> end(DesiredIndex index, List<Optional<Instant>> readySince) {
        Instant current = currentSince(index);
        return readySince.stream().allMatch(Optional::isPresent)
                ? readySince.stream()
                        .flatMap(Optional::stream)
                        .max(Instant::compareTo)
                        .map(last -> last.isAfter(current) ? last : current)
                        .map(begin -> begin.plus(window))
                : Optional.empty();
    }

    private Instant currentSince(DesiredIndex index) {
        long current = index.current().id();
        Optional<Long> previous = index.previous().map(Generation::id);
        Instant now = shards.definitions().at();
        return inForce.compute(
                        index.current().definition().qualifiedName(),
                        (name, known) -> known != null
                                        && known.current() == current
                                        && known.previous().equals(previous)
                                ? known
                                : new InForce(current, previous, now))
                .since();
    }
}
