package dev.tidemark.worker.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

import dev.tidemark.http.Need;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.explain.Explainer;
import dev.tidemark.worker.explain.Explanation;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.UnknownIndexException;

/** {@code GET /v1/indexes/{index}/explain}. */
public final class ExplainRoutes {
    private final IndexNames names;
    private final Explainer explainer;

    public ExplainRoutes(IndexNames names, Explainer explainer) {
        this.names = names;
        this.explainer = explainer;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/v1/indexes/{index}/explain", this::explain, Need.READ_INDEX);
    }

    private void explain(Context context) throws BadInputException, InterruptedException {
        try {
            IndexNames.Found index = names.find(context.pathParam("index"));
            for (String name : context.queryParamMap().keySet()) {
                if (!name.equals("key")) {
                    throw new ProblemException(Problem.badRequest("expected parameter key alone, but got " + name));
                }
            }
            KeyBytes key = RowKeys.parameter(context, "key", index.table());
            Explanation explanation = explainer.explain(index, key);
            context.result(RowJson.write(ExplanationJson.of(names.publicName(index.definition()), explanation)));
        } catch (UnknownIndexException e) {
            throw new ProblemException(Problem.notFound(String.valueOf(e.getMessage())));
        }
    }
}
