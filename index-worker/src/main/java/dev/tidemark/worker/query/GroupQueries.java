package dev.tidemark.worker.query;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

import dev.tidemark.catalog.Generation;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.store.ShardId;

/**
 * Answers questions for the whole group: from the shards that are here, and for the others from their owners.
 *
 * @param engine reads the shards that are here
 * @param facts where references are followed to
 * @param pages the memory for answers
 * @param places how many questions may wait for other workers at a time, fewer than there are threads: workers that
 *     all wait for each other must still find threads to answer with
 */
public record GroupQueries(
        QueryEngine engine,
        ShardRoutes routes,
        PeerShards peers,
        FactRows facts,
        MemoryBudget.Part pages,
        Semaphore places,
        Clock clock) {

    /**
     * The index in the generation that a question is to be asked of: the newest that may answer in every shard.
     *
     * @throws NotServingException when none may answer
     */
    public IndexNames.Found serving(IndexNames.Found index) throws NotServingException {
        if (routes.isAlone(index.table().name())) {
            return engine.serving(index);
        }
        Optional<Generation> everywhere = index.plan().generations().stream()
                .filter(generation ->
                        index.partitions().stream().allMatch(partition -> serves(index, partition, generation)))
                .findFirst();
        return everywhere.isPresent() ? index.in(everywhere.get()) : engine.serving(index);
    }

    private boolean serves(IndexNames.Found index, int partition, Generation generation) {
        ShardId shard = new ShardId(index.table().name(), partition);
        Optional<Boolean> here = engine.serves(shard, generation);
        Optional<Boolean> elsewhere = routes.serves(shard, generation.id());
        // A shard without any note decides nothing: the worker that takes it over will refuse.
        return here.orElse(false) || elsewhere.orElse(here.isEmpty());
    }

    /** Whether no other worker has to be asked. */
    public boolean isHere(IndexQuery query) {
        return routes.isAlone(query.index().table().name()) || engine.hasAll(query);
    }

    /**
     * Answers from what is in memory here, where all {@link #isHere}; see {@link QueryEngine#answerFromMemory}.
     */
    public QueryResult answerFromMemory(IndexQuery query)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        return engine.answerFromMemory(query);
    }

    /**
     * Answers, after waiting for what the question demands.
     *
     * @throws NotServingException when the generation asked may not answer in a shard any more, or is gone; another may
     * @throws NotAnswerableException when no worker answers for a partition, or the demand is not met in time, or there
     *     is no memory left for an answer
     * @throws LostTokenException when the question asks for a write of an epoch that is over
     */
    public QueryResult answer(IndexQuery query)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        if (isHere(query)) {
            return engine.answer(query);
        }
        if (!places.tryAcquire()) {
            throw new NotAnswerableException("too many queries wait for other workers already");
        }
        try {
            return gathered(query);
        } finally {
            places.release();
        }
    }

    private QueryResult gathered(IndexQuery query)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        Instant end = clock.instant().plus(query.demand().patience());
        while (true) {
            PageMemory room = PageMemory.open(pages);
            boolean answered = false;
            try (Gathered gathered = new ScatterGather(query, engine, routes, peers, end, clock).gather()) {
                QueryResult result = result(query, gathered, room);
                Optional<String> tooStale =
                        query.demand().tooStale(result.freshness().staleness());
                if (tooStale.isEmpty()) {
                    answered = true;
                    return result;
                }
                if (Duration.between(clock.instant(), end).compareTo(Duration.ZERO) <= 0) {
                    throw new NotAnswerableException(tooStale.get(), Optional.of(result.freshness()));
                }
            } finally {
                if (!answered) {
                    room.close();
                }
            }
        }
    }

    private QueryResult result(IndexQuery query, Gathered gathered, PageMemory room)
            throws NotAnswerableException, InterruptedException {
        Gathered.Merged merged = gathered.merge(query.order(), query.limit(), room);
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
