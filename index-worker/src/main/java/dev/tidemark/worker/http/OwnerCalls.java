package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
        return lag.shards().find(shard).filter(OpenShard::isReadable).isPresent();
    }

    /** Whether another worker has the shard, and this one does not. */
    boolean isElsewhere(ShardId shard) {
        return !isHere(shard) && !routes.of(shard).isEmpty();
    }

    /** What the owner of a shard answers at a path to a caller who may read rows; empty when none answers. */
    Optional<ObjectNode> read(Call call, ShardId shard, String path) throws InterruptedException {
        for (Owner owner : routes.of(shard)) {
            Optional<ObjectNode> answer = ask(owner, call, path, true)
                    .filter(found -> found.status() == 200)
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
            Optional<ServiceConnection.Answer> answer = ask(owner, call, path, readsRows);
            if (answer.isPresent()) {
                String type = answer.get().header(HttpHeader.CONTENT_TYPE).orElse("application/json");
                call.status(answer.get().status())
                        .contentType(type)
                        .result(answer.get().body());
                return true;
            }
        }
        return false;
    }

    private Optional<ServiceConnection.Answer> ask(Owner owner, Call call, String path, boolean readsRows)
            throws InterruptedException {
        ServiceConnection.Pending pending = peers.pass(owner.note().url(), path, readsRows, call::reserve);
        try {
            ServiceConnection.Answer answer = pending.answer().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
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
