package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.access.Scope;
import dev.tidemark.http.Access;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Route;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.JsonBytes;
import dev.tidemark.worker.advise.UsageMeter;
import dev.tidemark.worker.backfill.BuildProgress;
import dev.tidemark.worker.generation.LifecycleState;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.GroupQueries;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.LostTokenException;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.NotServingException;
import dev.tidemark.worker.query.QueryEngine;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.QueryParser;
import dev.tidemark.worker.query.QueryResult;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * {@code GET /v1/indexes/{index}/entries}.
 *
 * @param meter counts the queries that are answered
 * @param indexes reports why an index cannot answer, and how far its building is
 * @param limits limits of a query
 */
public record QueryRoutes(
        IndexNames names, GroupQueries queries, UsageMeter meter, GroupIndexes indexes, QueryLimits limits) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final int ATTEMPTS = 3;

    /** Parameters that can make an answer wait for something. */
    private static final Set<String> WAITING = Set.of("token", "wait", "max_staleness", "fetch");

    List<Route> routes() {
        return List.of(Route.get("/v1/indexes/{index}/entries", Permission.READ_INDEX, this::entries)
                .readingAny()
                .directly(this::direct));
    }

    /**
     * Answers a short question from what is in memory, and begins to answer one that other workers are asked about;
     * every other one is for the handler.
     */
    private Optional<CompletionStage<?>> direct(Call call) throws Exception {
        boolean waits = !Collections.disjoint(call.queryParamMap().keySet(), WAITING);
        IndexNames.Found index = names.find(call.pathParam("index"));
        if (waits && queries.isAlone(index)) {
            return Optional.empty();
        }
        IndexQuery query = query(call, index);
        if (!queries.isHere(query)) {
            return Optional.of(gathered(call, index, query, 1));
        }
        if (waits || query.limit() > QueryEngine.MOST_DIRECT) {
            return Optional.empty();
        }
        answer(call, query, queries.engine().answerFromMemory(query));
        return Optional.of(CompletableFuture.completedFuture(call));
    }

    private void entries(Call call) throws Exception {
        IndexNames.Found index = names.find(call.pathParam("index"));
        for (int attempt = 1; ; attempt++) {
            try {
                IndexQuery query = query(call, index);
                if (!queries.isHere(query)) {
                    call.answerAfter(gathered(call, index, query, attempt));
                    return;
                } else if (isAnswered(call, query, attempt)) {
                    return;
                }
            } catch (NotServingException e) {
                if (!isGone(e, attempt)) {
                    throw refusal(call, index, e);
                }
            } catch (NotAnswerableException e) {
                throw refusal(call, index, e);
            }
        }
    }

    /** Answers from what is here; false where a shard has gone to another worker since it was found here. */
    private boolean isAnswered(Call call, IndexQuery query, int attempt)
            throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        try {
            answer(call, query, queries.engine().answer(query));
            return true;
        } catch (NotAnswerableException e) {
            if (attempt == ATTEMPTS || queries.holds(query)) {
                throw e;
            }
            return false;
        }
    }

    /** Begins to answer together with other workers. */
    private CompletableFuture<Call> gathered(Call call, IndexNames.Found index, IndexQuery query, int attempt) {
        return queries.gather(query, call.handlers())
                .thenApply(answer -> {
                    answer(call, query, answer);
                    return call;
                })
                .exceptionallyComposeAsync(
                        failure -> {
                            Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                                    ? failure.getCause()
                                    : failure;
                            try {
                                return isGone(cause, attempt)
                                        ? gathered(call, index, query(call, index), attempt + 1)
                                        : CompletableFuture.failedFuture(refusal(call, index, cause));
                            } catch (BadInputException | NotServingException e) {
                                return CompletableFuture.failedFuture(refusal(call, index, e));
                            }
                        },
                        call.handlers());
    }

    /** Whether the generation went between the choice and the reading, so that its successor is there by now. */
    private static boolean isGone(Throwable failure, int attempt) {
        return failure instanceof NotServingException && attempt < ATTEMPTS;
    }

    /** The question that a call is, to the generation that answers now. */
    private IndexQuery query(Call call, IndexNames.Found index) throws BadInputException, NotServingException {
        IndexQuery query = QueryParser.parse(queries.serving(index), call.queryParamMap(), limits);
        if (query.fetchRow()) {
            // The row has more than the index carries.
            Access.require(call, List.of(Scope.facts(index.table().name())));
        }
        return query;
    }

    private void answer(Call call, IndexQuery query, QueryResult answer) {
        try (answer) {
            meter.answered(query.index().generation().id(), query.fetchRow());
            call.result(json(call, query.index(), answer).toBuffer());
        }
    }

    /** What a call is answered that failed. */
    private Exception refusal(Call call, IndexNames.Found index, Throwable failure) {
        if (failure instanceof NotServingException e) {
            return new ProblemException(notServing(e.index()));
        }
        if (failure instanceof NotAnswerableException e && e.freshness().isPresent()) {
            Freshness freshness = e.freshness().get();
            Freshness shown = mayReadRows(call, index) ? freshness : freshness.withoutQuarantinedRows();
            return new ProblemException(Refusals.notAnswerable(String.valueOf(e.getMessage()))
                    .with(QueryResultJson.of(index.table(), shown)));
        }
        return failure instanceof Exception known ? known : new IllegalStateException(failure);
    }

    private Problem notServing(IndexNames.Found index) {
        String name = names.publicName(index.definition());
        String subject = name + " of table " + index.table().name();
        GroupIndexes.Life life = indexes.life(index.table(), index.plan());
        LifecycleState lifecycle = life.state();
        if (lifecycle.state() == LifecycleState.State.DEGRADED) {
            String detail =
                    subject + " is not ready: " + lifecycle.cause() + "; GET /v1/indexes/" + name + " shows more";
            return Problem.retryable(425, "Index is degraded", detail, RETRY_AFTER)
                    .with(object().put("index", name)
                            .put("state", lifecycle.state().label()));
        }
        BuildProgress progress = life.progress();
        String left = progress.eta()
                .map(eta -> ", about " + Math.max(1, eta.toSeconds()) + " s to go")
                .orElse("");
        String rows = progress.rowsDone() + " of " + progress.rowsTotal() + " rows" + left;
        ObjectNode members = object().put("index", name).put("state", "building");
        members.set("progress", LifecycleJson.progress(progress));
        return Problem.retryable(425, "Index is being built", subject + " is being built: " + rows, RETRY_AFTER)
                .with(members);
    }

    private JsonBytes json(Call call, IndexNames.Found serving, QueryResult answer) {
        QueryResult shown = mayReadRows(call, serving) ? answer : answer.withoutQuarantinedRows();
        return QueryResultJson.of(names.publicName(serving.definition()), serving, shown);
    }

    private static boolean mayReadRows(Call call, IndexNames.Found index) {
        return call.caller().may(Scope.facts(index.table().name()));
    }
}
