package dev.tidemark.worker.query;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

import dev.tidemark.catalog.Generation;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.group.ShardRoutes;

/**
 * Answers questions for the whole group: from the shards that are here, and for the others from their owners.
 *
 * @param engine reads the shards that are here
 * @param facts where references are followed to
 * @param pages the memory for answers
 */
public record GroupQueries(
        QueryEngine engine,
        ShardRoutes routes,
        PeerShards peers,
        FactRows facts,
        MemoryBudget.Part pages,
        Timer timer,
        Clock clock) {
    /** Other workers have at least this to answer in, also to a question that waits for nothing. */
    private static final Duration LEAST_TIME = Duration.ofMillis(500);

    /** Runs tasks after some time. For any thread. */
    public interface Timer {
        /**
         * Runs a task after that time, on a thread that must not be held up.
         *
         * @return cancels it, which gives its memory back
         */
        Runnable after(Duration time, Runnable task);
    }

    /**
     * The index in the generation that a question is to be asked of: the newest that may answer in every shard.
     *
     * @throws NotServingException when none may answer
     */
    public IndexNames.Found serving(IndexNames.Found index) throws NotServingException {
        Optional<Generation> everywhere =
                isAlone(index) ? Optional.empty() : engine.choice(index).everywhere(routes::serves);
        return everywhere.isPresent() ? index.in(everywhere.get()) : engine.serving(index);
    }

    /** Whether no other worker has anything of an index. */
    public boolean isAlone(IndexNames.Found index) {
        return index.plan().generations().stream()
                .allMatch(
                        generation -> routes.isAlone(index.in(generation).home().name()));
    }

    /** Whether no other worker has to be asked. */
    public boolean isHere(IndexQuery query) {
        return isAlone(query.index()) || engine.hasAll(query);
    }

    /** Whether no other worker could do better: everything can be read here, or no other has anything. */
    public boolean holds(IndexQuery query) {
        return isAlone(query.index())
                || (engine.refused().isEmpty()
                        && query.partitions().stream().allMatch(partition -> engine.canRead(query.index(), partition)));
    }

    /**
     * Begins to answer together with other workers, and does not wait.
     *
     * @param waiting runs what waits for a disk, for what the question demands or for the writer; never for another
     *     worker
     * @return fails with a {@link NotServingException} when the generation asked may not answer in a shard any more, or
     *     is gone, and another may; a {@link NotAnswerableException} when no worker answers for a partition, or the
     *     demand is not met in time, or there is no memory left for an answer; a {@link LostTokenException} when the
     *     question asks for a write of an epoch that is over
     */
    public CompletableFuture<QueryResult> gather(IndexQuery query, Executor waiting) {
        Instant now = clock.instant();
        Instant least = now.plus(LEAST_TIME);
        Instant patient = now.plus(query.demand().patience());
        return gather(query, waiting, patient, patient.isBefore(least) ? least : patient);
    }

    private CompletableFuture<QueryResult> gather(IndexQuery query, Executor waiting, Instant patient, Instant end) {
        CompletableFuture<Gathered> parts =
                new ScatterGather(query, this, part -> engine.ask(part, waiting), patient, end).gather();
        CompletableFuture<QueryResult> whole = query.fetchRow()
                ? parts.thenApplyAsync(gathered -> result(query, gathered), waiting)
                : parts.thenApply(gathered -> result(query, gathered));
        return whole.thenCompose(answer -> {
            Optional<String> tooStale =
                    query.demand().tooStale(answer.freshness().staleness());
            if (tooStale.isEmpty()) {
                return CompletableFuture.completedFuture(answer);
            }
            answer.close();
            return clock.instant().isBefore(patient)
                    ? rested().thenCompose(rested -> gather(query, waiting, patient, end))
                    : CompletableFuture.failedFuture(
                            new NotAnswerableException(tooStale.get(), Optional.of(answer.freshness())));
        });
    }

    private CompletableFuture<Void> rested() {
        CompletableFuture<Void> rested = new CompletableFuture<>();
        Runnable unused = timer.after(ScatterGather.REST, () -> rested.complete(null));
        return rested;
    }

    private QueryResult result(IndexQuery query, Gathered gathered) {
        try (gathered) {
            PageMemory room = PageMemory.open(pages);
            boolean answered = false;
            try {
                QueryResult result = result(query, gathered, room);
                answered = true;
                return result;
            } finally {
                if (!answered) {
                    room.close();
                }
            }
        } catch (NotAnswerableException e) {
            throw new CompletionException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    private QueryResult result(IndexQuery query, Gathered gathered, PageMemory room)
            throws NotAnswerableException, InterruptedException {
        Gathered.Merged merged = gathered.merge(query, room);
        List<QueryResult.Entry> entries = merged.entries();
        Optional<KeyBytes> last = merged.end();
        Optional<List<Optional<KeyBytes>>> rows = Optional.empty();
        if (query.fetchRow()) {
            List<KeyBytes> keys =
                    entries.stream().map(QueryResult.Entry::primaryKey).toList();
            List<Optional<KeyBytes>> found = facts.lookup(query.index().table(), keys, room);
            rows = Optional.of(found);
            if (found.size() < entries.size()) {
                entries = entries.subList(0, found.size());
                last = Optional.of(entries.get(found.size() - 1).whole());
            }
        }
        Optional<String> next = last.map(key -> new Cursor(key, query.demand().seenAfter(gathered.through()))
                .write(query.index(), query.range(), query.order()));
        return new QueryResult(entries, next, rows, gathered.through(), gathered.freshness(clock.instant()), room);
    }
}
