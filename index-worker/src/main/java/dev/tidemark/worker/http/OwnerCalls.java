package dev.tidemark.worker.http;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.store.ShardId;

/** Passes calls about one row on to the worker that has the row's shard, once the caller's rights are checked. */
public record OwnerCalls(LagMeter lag, ShardRoutes routes, PeerClient peers) {
    /** Says that the call was passed on already. */
    static final String HOP = "Tidemark-Hop";

    /** Says whether the one who asked first may read rows. */
    static final String READS_ROWS = "Tidemark-Reads-Rows";

    private static final Duration PATIENCE = Duration.ofSeconds(35);
    private static final int LEAST_FAILURE = 500;
    private static final int MISDIRECTED = 421;

    private boolean isHere(ShardId shard) {
        return lag.shards().find(shard).filter(one -> one.topicId().isPresent()).isPresent();
    }

    /** Whether another worker has the shard, and this one does not. */
    boolean isElsewhere(ShardId shard) {
        return !isHere(shard) && !routes.of(shard).isEmpty();
    }

    /** What the owner of a shard answers at a path to a caller who may read rows; empty when none answers. */
    Optional<ObjectNode> read(Call call, ShardId shard, String path) throws InterruptedException {
        for (Owner owner : routes.of(shard)) {
            Optional<ObjectNode> answer = ask(owner, call, path, true)
                    .filter(found -> found.statusCode() == 200)
                    .flatMap(found -> PeerClient.tree(found.body()))
                    .map(ObjectNode.class::cast);
            if (answer.isPresent()) {
                return answer;
            }
        }
        return Optional.empty();
    }

    /**
     * Answers a call with the answer of another worker, where this one does not have the shard and another does.
     *
     * @param readsRows whether the caller may read rows of the table
     * @return false where the call is to be answered here
     * @throws ProblemException 421 where another worker passed the call on, and the shard is not here
     */
    boolean pass(Call call, ShardId shard, boolean readsRows) throws InterruptedException {
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
        for (Owner owner : routes.of(shard)) {
            Optional<HttpResponse<byte[]>> answer = ask(owner, call, path, readsRows);
            if (answer.isPresent()) {
                String type = answer.get().headers().firstValue("Content-Type").orElse("application/json");
                call.status(answer.get().statusCode())
                        .contentType(type)
                        .result(answer.get().body());
                return true;
            }
        }
        return false;
    }

    private Optional<HttpResponse<byte[]>> ask(Owner owner, Call call, String path, boolean readsRows)
            throws InterruptedException {
        ServiceConnection.Pending pending = peers.pass(owner.note().url(), path, readsRows, call::reserve);
        try {
            HttpResponse<byte[]> answer = pending.answer().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            boolean failed = answer.statusCode() >= LEAST_FAILURE || answer.statusCode() == MISDIRECTED;
            return failed ? Optional.empty() : Optional.of(answer);
        } catch (TimeoutException | ExecutionException e) {
            routes.suspect(owner);
            return Optional.empty();
        } finally {
            pending.giveUp();
        }
    }
}
