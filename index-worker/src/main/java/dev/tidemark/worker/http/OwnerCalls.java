package dev.tidemark.worker.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.eclipse.jetty.http.HttpHeader;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;

/**
 * Passes calls about one row on to the worker that has the row's shard, once the caller's rights are checked.
 *
 * @param waiting how many may wait at a time, so that a worker that hangs does not take every thread
 */
public record OwnerCalls(LagMeter lag, ShardRoutes routes, PeerClient peers, WaiterLimit waiting, Clock clock) {
    /** Says that the call was passed on already. */
    static final String HOP = "Tidemark-Hop";

    /** Says whether the one who asked first may read rows. */
    static final String READS_ROWS = "Tidemark-Reads-Rows";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final int OK = 200;
    private static final int LEAST_FAILURE = 500;
    private static final int MISDIRECTED = 421;

    /** What is passed on, until when an answer is awaited. */
    private record Question(Call call, String path, boolean readsRows, Instant until) {}

    private boolean isHere(ShardId shard) {
        return lag.shards().find(shard).filter(OpenShard::isReadable).isPresent();
    }

    /** Whether another worker has the shard, and this one does not. */
    boolean isElsewhere(ShardId shard) {
        return !isHere(shard) && !routes.of(shard).isEmpty();
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
     * @throws ProblemException 503 when too many requests wait already
     */
    Optional<ObjectNode> read(Call call, ShardId shard, String path, Instant until) throws InterruptedException {
        return first(shard, new Question(call, path, true, until), answer -> answer.status() == OK)
                .flatMap(found -> PeerClient.tree(found.body()))
                .map(ObjectNode.class::cast);
    }

    /**
     * Answers a call with the answer of another worker, where this one does not have the shard and another does.
     *
     * @param readsRows whether the caller may read rows of the table
     * @param patience how long all owners together may take
     * @return false where the call is to be answered here
     * @throws ProblemException 421 where another worker passed the call on, and the shard is not here; 503 when too
     *     many requests wait already
     */
    boolean pass(Call call, ShardId shard, boolean readsRows, Duration patience) throws InterruptedException {
        if (isHere(shard)) {
            return false;
        }
        if (call.header(HOP) != null) {
            throw new ProblemException(
                    Problem.of(421, "Misdirected request", "this worker does not hold shard " + shard)
                            .typed(ProblemType.NOT_HELD));
        }
        String query = call.queryString();
        String path = query == null ? call.path() : call.path() + "?" + query;
        Optional<ServiceConnection.Answer> answer =
                first(shard, new Question(call, path, readsRows, after(patience)), any -> true);
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
        try {
            for (Owner owner : owners) {
                Optional<ServiceConnection.Answer> answer = ask(owner, question).filter(good);
                if (answer.isPresent()) {
                    return answer;
                }
            }
            return Optional.empty();
        } finally {
            place.close();
        }
    }

    private static ProblemException allTaken() {
        return new ProblemException(Problem.retryable(
                503, "Not answerable now", "too many requests wait for other workers already", RETRY_AFTER));
    }

    private Optional<ServiceConnection.Answer> ask(Owner owner, Question question) throws InterruptedException {
        Duration left = left(question.until());
        if (left.isZero()) {
            return Optional.empty();
        }
        ServiceConnection.Pending pending =
                peers.pass(owner.note().url(), question.path(), question.readsRows(), question.call()::reserve);
        try {
            ServiceConnection.Answer answer = pending.answer().get(left.toNanos(), TimeUnit.NANOSECONDS);
            boolean failed = answer.status() >= LEAST_FAILURE || answer.status() == MISDIRECTED;
            return failed ? Optional.empty() : Optional.of(answer);
        } catch (TimeoutException | ExecutionException e) {
            routes.suspect(owner);
            return Optional.empty();
        } finally {
            pending.giveUp();
        }
    }
}
