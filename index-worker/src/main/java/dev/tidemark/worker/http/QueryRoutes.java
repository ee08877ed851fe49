package dev.tidemark.worker.http;

import java.time.Duration;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.query.Answer;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.QueryEngine;
import dev.tidemark.worker.query.QueryParser;
import dev.tidemark.worker.query.UnknownIndexException;

/** {@code GET /v1/indexes/{index}/entries}. */
public final class QueryRoutes {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final IndexNames names;
    private final QueryEngine engine;

    public QueryRoutes(IndexNames names, QueryEngine engine) {
        this.names = names;
        this.engine = engine;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/v1/indexes/{index}/entries", this::entries);
    }

    private void entries(Context context) throws BadInputException, InterruptedException {
        IndexNames.Found index = found(context.pathParam("index"));
        try {
            Answer answer = engine.answer(QueryParser.parse(index, context.queryParamMap()));
            context.result(RowJson.write(AnswerJson.of(names.publicName(index.definition()), index, answer)));
        } catch (NotAnswerableException e) {
            Problem problem = Problem.retryable(503, "Not answerable now", String.valueOf(e.getMessage()), RETRY_AFTER);
            throw new ProblemException(e.freshness()
                    .map(freshness -> problem.with(AnswerJson.of(index.table(), freshness)))
                    .orElse(problem));
        }
    }

    private IndexNames.Found found(String name) throws BadInputException {
        try {
            return names.find(name);
        } catch (UnknownIndexException e) {
            throw new ProblemException(Problem.notFound(String.valueOf(e.getMessage())));
        }
    }
}
