package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

import dev.tidemark.http.Need;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.advise.Advice;
import dev.tidemark.worker.advise.AdviceReport;
import dev.tidemark.worker.advise.Advisor;
import dev.tidemark.worker.advise.IndexFacts;
import dev.tidemark.worker.advise.KeyShape;

/** {@code GET /v1/advice}. One at a time, because each walks all indexes. */
public final class AdviseRoutes {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Advisor advisor;
    private final Semaphore turn = new Semaphore(1);

    public AdviseRoutes(Advisor advisor) {
        this.advisor = advisor;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/v1/advice", this::advice, Need.TOKEN);
    }

    private void advice(Context context) {
        if (!turn.tryAcquire()) {
            throw new ProblemException(Problem.retryable(
                    429,
                    "Too many requests",
                    "expected one request for advice at a time, but one is under way",
                    RETRY_AFTER));
        }
        try {
            context.result(RowJson.write(json(advisor.report())));
        } finally {
            turn.release();
        }
    }

    private static ObjectNode json(AdviceReport report) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("watchedSeconds", report.watched().toSeconds());
        ArrayNode advice = json.putArray("advice");
        report.advice().forEach(one -> advice.add(json(one)));
        ArrayNode indexes = json.putArray("indexes");
        report.indexes().forEach(one -> indexes.add(json(one)));
        ArrayNode notes = json.putArray("notes");
        report.notes().forEach(notes::add);
        return json;
    }

    private static ObjectNode json(Advice advice) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("kind", advice.kind().label());
        json.put("index", advice.index());
        json.put("text", advice.text());
        json.set("figures", figures(advice.figures()));
        json.putObject("saving")
                .put("entries", advice.saving().entries())
                .put("bytes", advice.saving().bytes())
                .put("applySecondsPerChange", advice.saving().applyNanosPerChange() / 1e9)
                .put("rowFetches", advice.saving().rowFetches());
        return json;
    }

    private static ObjectNode figures(List<Advice.Figure> figures) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        for (Advice.Figure figure : figures) {
            boolean whole = figure.value() == Math.rint(figure.value());
            if (whole) {
                json.put(figure.name(), Math.round(figure.value()));
            } else {
                json.put(figure.name(), figure.value());
            }
        }
        return json;
    }

    private static ObjectNode json(IndexFacts facts) {
        KeyShape shape = facts.shape();
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("index", facts.index()).put("table", facts.definition().table());
        json.put("entries", shape.entries()).put("bytes", shape.bytes());
        json.put("distinctValues", shape.distinct()).put("allValuesSeen", shape.complete());
        ArrayNode heaviest = json.putArray("heaviest");
        for (KeyShape.Weight weight : shape.heaviest()) {
            ObjectNode one = heaviest.addObject();
            one.set("value", weight.value().toJson());
            one.put("entries", weight.entries()).put("share", shape.share(weight));
        }
        json.put("queries", facts.usage().queries())
                .put("fetches", facts.usage().fetches());
        json.put("updates", facts.changes().updates())
                .put("moved", facts.changes().moved());
        json.put(
                "applySecondsPerChange",
                facts.applyPerChange().map(cost -> cost.toNanos() / 1e9).orElse(null));
        return json;
    }
}
