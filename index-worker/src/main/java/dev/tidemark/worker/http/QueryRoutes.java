package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.query.Answer;
import dev.tidemark.worker.query.FactRows;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.QueryEngine;
import dev.tidemark.worker.query.QueryParser;
import dev.tidemark.worker.query.UnknownIndexException;

/** {@code GET /v1/indexes/{index}/entries}. */
public final class QueryRoutes {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final IndexNames names;
    private final QueryEngine engine;
    private final FactRows facts;

    public QueryRoutes(IndexNames names, QueryEngine engine, FactRows facts) {
        this.names = names;
        this.engine = engine;
        this.facts = facts;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/v1/indexes/{index}/entries", this::entries);
    }

    private void entries(Context context) throws BadInputException, InterruptedException {
        try {
            IndexNames.Found index = names.find(context.pathParam("index"));
            IndexQuery query = QueryParser.parse(index, context.queryParamMap());
            Answer answer = engine.answer(query);
            Optional<List<Optional<JsonNode>>> rows =
                    query.fetchRow() ? Optional.of(rows(index, answer)) : Optional.empty();
            context.result(RowJson.write(AnswerJson.of(names.publicName(index.definition()), index, answer, rows)));
        } catch (UnknownIndexException e) {
            throw new ProblemException(Problem.notFound(String.valueOf(e.getMessage())));
        } catch (NotAnswerableException e) {
            throw new ProblemException(
                    Problem.retryable(503, "Not answerable now", String.valueOf(e.getMessage()), RETRY_AFTER));
        }
    }

    private List<Optional<JsonNode>> rows(IndexNames.Found index, Answer answer)
            throws NotAnswerableException, InterruptedException {
        List<KeyBytes> keys =
                answer.entries().stream().map(Answer.Entry::primaryKey).toList();
        return facts.lookup(index.table(), keys);
    }
}
