package dev.tidemark.worker.http;

import java.util.List;

import dev.tidemark.access.Scope;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Route;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.explain.Explainer;
import dev.tidemark.worker.explain.Explanation;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.UnknownIndexException;

/** {@code GET /v1/indexes/{index}/explain}. */
public record ExplainRoutes(IndexNames names, Explainer explainer) {
    List<Route> routes() {
        return List.of(Route.get("/v1/indexes/{index}/explain", Permission.READ_INDEX, this::explain));
    }

    private void explain(Call call) throws BadInputException, InterruptedException {
        try {
            IndexNames.Found index = names.find(call.pathParam("index"));
            for (String name : call.queryParamMap().keySet()) {
                if (!name.equals("key")) {
                    throw new ProblemException(Problem.badRequest("expected parameter key alone, but got " + name));
                }
            }
            KeyBytes key = RowKeys.parameter(call, "key", index.table());
            boolean readsRows = call.caller().may(Scope.facts(index.table().name()));
            Explanation explanation =
                    readsRows ? explainer.explain(index, key, call::reserve) : explainer.explainFromIndex(index, key);
            call.result(RowJson.write(ExplanationJson.of(names.publicName(index.definition()), explanation)));
        } catch (UnknownIndexException e) {
            throw new ProblemException(Problem.notFound(String.valueOf(e.getMessage())));
        }
    }
}
