package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.eclipse.jetty.http.HttpHeader;

import dev.tidemark.http.Call;
import dev.tidemark.http.ProblemException;
import dev.tidemark.worker.explain.NoReceiptException;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;

/**
 * Passes calls about one row on to the worker that has the row's shard, once the caller's rights are checked.
 *
 * @param rows looks up what is answered here
 * @param waiting how many may wait at a time, so that a worker that hangs does not take every thread
 */
public record OwnerCalls(RowLookup rows, ShardRoutes routes, PeerClient peers, WaiterLimit waiting, Clock clock) {
    /** Says that the call was passed on already. */
    static final String HOP = "Tidemark-Hop";

    /** Says whether the one who asked first may read rows. */
    static final String READS_ROWS = "Tidemark-Reads-Rows";

    /** How long an owner may take, beside the time that it is asked to wait, before the next one is asked as well. */
    private static final Duration HEDGE = Duration.ofMillis(300);

    private static final int OK = 200;
    private static final int GONE = 410;
    private static final int LEAST_REFUSAL = 400;
    private static final int LEAST_FAILURE = 500;
    private static final int MISDIRECTED = 421;

    /**
     * What is passed on.
     *
     * @param waits how long an owner may wait by it before it answers
     * @param until when an answer is awaited
     */
    private record Question(Call call, String path, boolean readsRows, Duration waits, Instant until) {}

    /** Whether another worker has the shard, and this one does not, or must not answer for it. */
    boolean isElsewhere(ShardId shard) {
        return !rows.answers(shard) && !routes.of(shard).isEmpty();
    }

    /** When a time that begins now is over. */
    Instant after(Duration time) {
        return clock.instant().plus(time);
    }

    /** The time until a moment, at least zero. */
    Duration left(Instant until) {
        Duration left = Duration.between(clock.instant(), until);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * What the owner of a shard answers at a path to a caller who may read rows; empty when none answers in time.
     *
     * @param waits how long an owner may wait by it before it answers
     * @throws ProblemException 503 when too many requests wait already
     * @throws NoReceiptException when an owner answers that what is asked for is gone
     */
    Optional<ObjectNode> read(Call call, ShardId shard, String path, Duration waits, Instant until)
            throws InterruptedException, NoReceiptException {
        Optional<ServiceConnection.Answer> found = first(
                shard,
                new Question(call, path, true, waits, until),
                answer -> answer.status() == OK || answer.status() == GONE);
        Optional<ServiceConnection.Answer> gone = found.filter(answer -> answer.status() == GONE);
        if (gone.isPresent()) {
            throw new NoReceiptException(true, PeerClient.detail(gone.get()));
        }
        return found.flatMap(answer -> PeerClient.tree(answer.body())).map(ObjectNode.class::cast);
    }

    /**
     * Answers a call with the answer of another worker, where this one does not answer for the shard and another does.
     *
     * @param readsRows whether the caller may read rows of the table
     * @param waits how long an owner may wait by it before it answers
     * @param patience how much longer all owners together may take
     * @return false where the call is to be answered here
     * @throws ProblemException 421 where another worker passed the call on, and this one does not answer for the shard;
     *     503 when too many requests wait already
     */
    boolean pass(Call call, ShardId shard, boolean readsRows, Duration waits, Duration patience)
            throws InterruptedException {
        if (rows.answers(shard)) {
            return false;
        }
        if (call.header(HOP) != null) {
            throw new ProblemException(
                    Refusals.notHeld(rows.refusal().get().orElse("this worker does not hold shard " + shard)));
        }
        String query = call.queryString();
        String path = query == null ? call.path() : call.path() + "?" + query;
        Optional<ServiceConnection.Answer> answer =
                first(shard, new Question(call, path, readsRows, waits, after(waits.plus(patience))), any -> true);
        answer.ifPresent(given -> call.status(given.status())
                .contentType(given.header(HttpHeader.CONTENT_TYPE).orElse("application/json"))
                .result(given.body()));
        return answer.isPresent();
    }

    /** The first answer of an owner that is good, while there is time. */
    private Optional<ServiceConnection.Answer> first(
            ShardId shard, Question question, Predicate<ServiceConnection.Answer> good) throws InterruptedException {
        List<Owner> owners = routes.of(shard);
        if (owners.isEmpty() || left(question.until()).isZero()) {
            return Optional.empty();
        }
        WaiterLimit.Place place = waiting.take().orElseThrow(OwnerCalls::allTaken);
        Map<Owner, ServiceConnection.Pending> asked = new LinkedHashMap<>();
        try {
            return first(owners.iterator(), asked, question, good);
        } finally {
            asked.values().forEach(ServiceConnection.Pending::giveUp);
            place.close();
        }
    }

    /** Asks the next owner once one has refused, and while those asked take long, because these may hang. */
    private Optional<ServiceConnection.Answer> first(
            Iterator<Owner> owners,
            Map<Owner, ServiceConnection.Pending> asked,
            Question question,
            Predicate<ServiceConnection.Answer> good)
            throws InterruptedException {
        Duration late = question.waits().plus(HEDGE);
        Optional<ServiceConnection.Answer> refusal = Optional.empty();
        while (!left(question.until()).isZero() && (owners.hasNext() || !asked.isEmpty())) {
            if (owners.hasNext()) {
                Owner owner = owners.next();
                URI worker = owner.note().url();
                asked.put(owner, peers.pass(worker, question.path(), question.readsRows(), question.call()::reserve));
            }
            Duration left = left(question.until());
            awaitOne(asked.values(), owners.hasNext() && late.compareTo(left) < 0 ? late : left);
            for (ServiceConnection.Answer given : taken(asked)) {
                if (good.test(given) && given.status() < LEAST_REFUSAL) {
                    return Optional.of(given);
                }
                // The definitions of one that refuses may be older than those of an owner that has not answered yet.
                refusal = refusal.or(() -> Optional.of(given).filter(good));
            }
            if (asked.isEmpty() && refusal.isPresent()) {
                return refusal;
            }
        }
        asked.keySet().forEach(routes::suspect);
        return refusal;
    }

    /** Takes the calls that have ended; what owners have answered, without those that failed. */
    private List<ServiceConnection.Answer> taken(Map<Owner, ServiceConnection.Pending> asked) {
        List<ServiceConnection.Answer> answers = new ArrayList<>();
        for (Map.Entry<Owner, ServiceConnection.Pending> one : Map.copyOf(asked).entrySet()) {
            CompletableFuture<ServiceConnection.Answer> answer = one.getValue().answer();
            if (answer.isDone()) {
                asked.remove(one.getKey());
                given(one.getKey(), answer).ifPresent(answers::add);
            }
        }
        return answers;
    }

    private static void awaitOne(Collection<ServiceConnection.Pending> asked, Duration time)
            throws InterruptedException {
        CompletableFuture<?>[] answers =
                asked.stream().map(ServiceConnection.Pending::answer).toArray(CompletableFuture<?>[]::new);
        try {
            Object unused = CompletableFuture.anyOf(answers).get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The caller looks at each.
            return;
        }
    }

    /** What an owner has answered; empty where it refuses or failed. */
    private Optional<ServiceConnection.Answer> given(Owner owner, CompletableFuture<ServiceConnection.Answer> answer) {
        try {
            return Optional.of(answer.join())
                    .filter(given -> given.status() < LEAST_FAILURE && given.status() != MISDIRECTED);
        } catch (CompletionException | CancellationException e) {
            routes.suspect(owner);
            return Optional.empty();
        }
    }

    private static ProblemException allTaken() {
        return new ProblemException(Refusals.notAnswerable("too many requests wait for other workers already"));
    }
}
