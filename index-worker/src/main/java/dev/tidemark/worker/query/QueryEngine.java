package dev.tidemark.worker.query;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.GenerationGoneException;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;

/**
 * Answers queries. Staleness and lease are checked when the answer is complete, so that the time that reading took
 * counts, including a pause.
 *
 * @param facts where references are followed to
 * @param pages the memory for answers
 * @param refusal why this process must not answer for its shards now; empty when it may
 */
public record QueryEngine(
        LagMeter lag,
        WaiterLimit waiting,
        FactRows facts,
        MemoryBudget.Part pages,
        Supplier<Optional<String>> refusal,
        Clock clock) {
    /** Entries that can be answered between two other requests of the network. */
    public static final int MOST_DIRECT = 100;

    private static final Logger LOGGER = LoggerFactory.getLogger(QueryEngine.class);
    private static final PeerAnswer STOPPING = new PeerAnswer.NotAnswerable("the service is stopping");

    /** An answer, or why there is none although the shards are here. */
    private record Attempt(QueryResult answer, Optional<String> shortfall) {}

    /**
     * The index in the generation that a question is to be asked of; the current one where this process holds nothing
     * of the table, which the answer will say.
     *
     * @throws NotServingException when none may answer
     */
    public IndexNames.Found serving(IndexNames.Found index) throws NotServingException {
        return choice(index)
                .hereOrNewest()
                .map(index::in)
                .orElseThrow(() -> new NotServingException(index.in(index.plan().current())));
    }

    /** Why this process must not answer for its shards now; empty when it may. */
    public Optional<String> refused() {
        return refusal.get();
    }

    /** Whether a shard can be read here, as far as is known without reading it. */
    public boolean canRead(IndexNames.Found index, int partition) {
        return readable(index, partition).isPresent();
    }

    private Optional<ShardStatus> readable(IndexNames.Found index, int partition) {
        return lag.shards()
                .find(new ShardId(index.home().name(), partition))
                .filter(OpenShard::isReadable)
                .flatMap(OpenShard::status)
                .filter(status ->
                        !status.checkpoint().isRestoring(index.generation().id()));
    }

    /**
     * Whether everything is here that a question is about and may answer it, as recent as it demands, and no shard is
     * being read again. Then no other worker has to be asked.
     */
    boolean hasAll(IndexQuery query) {
        return refused().isEmpty()
                && query.partitions().stream().allMatch(partition -> answers(query.index(), partition))
                && (!query.demand().isDemanding() || isMet(query, query.demand()));
    }

    private boolean answers(IndexNames.Found index, int partition) {
        return readable(index, partition)
                .filter(status -> !status.restoring()
                        && status.checkpoint().serves(index.generation().id()))
                .isPresent();
    }

    /** Whether a shard can be read here that has everything that was in its log when it was opened. */
    boolean isCurrent(IndexNames.Found index, int partition) {
        return readable(index, partition).filter(status -> !status.restoring()).isPresent();
    }

    /**
     * Answers, after waiting for what the question demands.
     *
     * @throws NotServingException when the generation asked may not answer in a shard any more, or is gone; another may
     * @throws NotAnswerableException when this process does not hold the whole index, or may not speak for it, or the
     *     demand is not met in time, or there is no memory left for an answer
     * @throws LostTokenException when the question asks for a write of an epoch that is over
     */
    public QueryResult answer(IndexQuery query)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        return answer(query, false);
    }

    /**
     * The same from what is in memory, for a question that fetches no rows: waits for nothing, and fails with any
     * exception where a disk would have to be read.
     */
    public QueryResult answerFromMemory(IndexQuery query)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        return answer(query, true);
    }

    /** Answers a part of a question of another worker, which may believe that this one has shards that it has not. */
    public PeerAnswer answerPeer(IndexQuery part) throws InterruptedException {
        List<String> lacking = part.partitions().stream()
                .filter(partition -> !canRead(part.index(), partition))
                .map(String::valueOf)
                .toList();
        Optional<String> refused = refused();
        if (refused.isPresent() || !lacking.isEmpty()) {
            return new PeerAnswer.NotHeld(refused.orElse("this worker does not hold partition "
                    + String.join(", ", lacking) + " of "
                    + DerivedTable.inWords(part.index().home().name())));
        }
        try {
            return new PeerAnswer.Found(answer(part));
        } catch (NotServingException e) {
            return new PeerAnswer.NotServing(String.valueOf(e.getMessage()));
        } catch (LostTokenException e) {
            return new PeerAnswer.LostToken(String.valueOf(e.getMessage()));
        } catch (NotAnswerableException e) {
            return new PeerAnswer.NotAnswerable(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Begins to answer a part of a question of which other workers answer the rest, and does not wait.
     *
     * @param waiting runs what waits
     * @return completes with an answer in any case; to be cancelled where it is no longer wanted
     */
    CompletableFuture<PeerAnswer> ask(IndexQuery part, Executor waiting) {
        if (part.limit() <= MOST_DIRECT) {
            try {
                return CompletableFuture.completedFuture(new PeerAnswer.Found(answerFromMemory(part)));
            } catch (Exception e) {
                LOGGER.trace("Left to a thread that may wait", e);
            }
        }
        CompletableFuture<PeerAnswer> answer = new CompletableFuture<>();
        try {
            waiting.execute(() -> complete(answer, part));
        } catch (RejectedExecutionException e) {
            answer.complete(STOPPING);
        }
        return answer;
    }

    private void complete(CompletableFuture<PeerAnswer> answer, IndexQuery part) {
        PeerAnswer given = answer.isDone() ? STOPPING : answerNow(part);
        if (!answer.complete(given) && given instanceof PeerAnswer.Found unwanted) {
            unwanted.part().close();
        }
    }

    private PeerAnswer answerNow(IndexQuery part) {
        try {
            return answerPeer(part);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return STOPPING;
        } catch (RuntimeException e) {
            LOGGER.error("A part of an answer cannot be read", e);
            if (e instanceof ShardDamagedException damage) {
                damage.shard().ifPresent(id -> lag.shards().rebuild(id, String.valueOf(damage.getMessage())));
            }
            return new PeerAnswer.NotAnswerable("this worker cannot read its shards; see its log");
        }
    }

    private QueryResult answer(IndexQuery query, boolean inMemory)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        Instant end = clock.instant().plus(query.demand().patience());
        ReadConsistency check = query.demand();
        while (true) {
            requireLease();
            if (inMemory && check.isDemanding() && !isMet(query, check)) {
                throw new NotAnswerableException("the question has to wait");
            }
            boolean met = await(query, check, Duration.between(clock.instant(), end));
            Attempt attempt = attempt(query, check, inMemory);
            if (attempt.shortfall().isEmpty()) {
                return attempt.answer();
            }
            // Met a moment ago and too old now: there may be time for the next heartbeat.
            if (!met || !clock.instant().isBefore(end)) {
                throw new NotAnswerableException(
                        attempt.shortfall().get(), Optional.of(attempt.answer().freshness()));
            }
        }
    }

    private Attempt attempt(IndexQuery query, ReadConsistency check, boolean inMemory)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        PageMemory room = PageMemory.open(pages);
        boolean answered = false;
        try {
            Attempt made = attempt(query, check, inMemory, room);
            answered = made.shortfall().isEmpty();
            return made;
        } finally {
            if (!answered) {
                room.close();
            }
        }
    }

    private Attempt attempt(IndexQuery query, ReadConsistency check, boolean inMemory, PageMemory room)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        QuerySnapshot readings = QuerySnapshot.open(query, lag, inMemory);
        Page page;
        Freshness.Quarantined quarantined;
        try (readings) {
            quarantined = readings.quarantined(Freshness.Quarantined.NAMED_ROWS);
            // Where nothing is demanded, what the views lacked before they were read decides nothing.
            Map<Integer, ShardLag> before = check.isDemanding() ? readings.lags() : Map.of();
            check.requireSameEpoch(before);
            Optional<String> early = check.shortfall(before);
            if (early.isPresent()) {
                Freshness freshness = freshness(query, readings, quarantined, before);
                return new Attempt(
                        new QueryResult(
                                List.of(), Optional.empty(), Optional.empty(), readings.through(), freshness, room),
                        early);
            }
            page = page(query, readings, room);
            readings.held().forEach(held -> lag.queried(held.shard().id()));
        }
        Optional<List<Optional<KeyBytes>>> rows =
                query.fetchRow() ? Optional.of(rows(query, page, room)) : Optional.empty();
        requireLease();
        Map<Integer, ShardLag> lags = readings.lags();
        Page shown = page.first(rows.map(List::size).orElse(page.entries().size()));
        Freshness freshness = freshness(query, readings, quarantined, lags);
        SortedMap<Integer, RowVersion> through = readings.through();
        return new Attempt(
                new QueryResult(shown.entries(), shown.next(query, through), rows, through, freshness, room),
                check.shortfall(lags));
    }

    private static Page page(IndexQuery query, QuerySnapshot readings, PageMemory room)
            throws NotServingException, NoMemoryException {
        for (QuerySnapshot.Held held : readings.held()) {
            if (!held.view().checkpoint().serves(query.index().generation().id())) {
                throw new NotServingException(query.index());
            }
        }
        try {
            return Page.read(query, readings, room);
        } catch (GenerationGoneException e) {
            throw new NotServingException(query.index());
        }
    }

    private void requireLease() throws NotAnswerableException {
        Optional<String> refused = refusal.get();
        if (refused.isPresent()) {
            throw new NotAnswerableException(refused.get());
        }
    }

    private List<Optional<KeyBytes>> rows(IndexQuery query, Page page, PageMemory room)
            throws NotAnswerableException, InterruptedException {
        List<KeyBytes> keys =
                page.entries().stream().map(QueryResult.Entry::primaryKey).toList();
        return facts.lookup(query.index().table(), keys, room);
    }

    private static Freshness freshness(
            IndexQuery query, QuerySnapshot readings, Freshness.Quarantined quarantined, Map<Integer, ShardLag> lags) {
        Freshness freshness = readings.freshness(lags, quarantined);
        Optional<Long> refused = readings.refusedWhereDegraded(query.index().generation());
        return refused.map(freshness::degraded).orElse(freshness);
    }

    /** Of the generation of an index that answers. The views of a query decide, so an answer never mixes two. */
    GenerationChoice choice(IndexNames.Found index) {
        return new GenerationChoice(
                index.plan(), generation -> index.in(generation).home(), lag.shards());
    }

    /** Waits until the demand is met; whether it is. */
    private boolean await(IndexQuery query, ReadConsistency check, Duration patience)
            throws NotAnswerableException, InterruptedException {
        if (!check.isDemanding() || isMet(query, check)) {
            return true;
        }
        if (!waiting.await(() -> isMet(query, check), patience)) {
            throw new NotAnswerableException("too many queries wait for progress already");
        }
        return isMet(query, check);
    }

    private boolean isMet(IndexQuery query, ReadConsistency check) {
        TableDefinition table = query.index().home();
        Map<Integer, ShardLag> lags = new TreeMap<>();
        for (OpenShard shard : lag.shards().of(table)) {
            int partition = shard.id().partition();
            // A partial answer does not wait for a shard that it will not hold. What is known of a closed one is not
            // there to be read, so it meets nothing.
            if (query.partitions().contains(partition) && (!query.partial() || canRead(query.index(), partition))) {
                lags.put(partition, lag.of(shard));
            }
        }
        return (query.partial() || lags.size() == query.partitions().size())
                && check.shortfall(lags).isEmpty();
    }
}
