package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.access.Caller;
import dev.tidemark.access.Scope;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Route;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.advise.Advice;
import dev.tidemark.worker.advise.AdviceReport;
import dev.tidemark.worker.advise.AdviceRules;
import dev.tidemark.worker.advise.Advisor;
import dev.tidemark.worker.advise.HeavyKeys;
import dev.tidemark.worker.advise.IndexFacts;
import dev.tidemark.worker.advise.KeyShape;
import dev.tidemark.worker.advise.Usage;
import dev.tidemark.worker.query.IndexNames;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.seconds;

/** {@code GET /v1/advice}. Values of an index are shown to callers who may read it, names and numbers to all. */
public record AdviseRoutes(Advisor advisor, IndexNames names) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    List<Route> routes() {
        return List.of(
                Route.get("/v1/advice", Permission.TOKEN, this::advice),
                Route.get(
                        PeerUsage.PATH,
                        Permission.PEER,
                        call -> call.result(RowJson.write(PeerUsage.json(advisor.counted(), advisor.watched())))));
    }

    private void advice(Call call) {
        call.reserve(Advisor.WALK_BYTES);
        AdviceReport report = advisor.report()
                .orElseThrow(() -> new ProblemException(Problem.retryable(
                        429,
                        "Too many requests",
                        "expected one request for advice at a time, but one is under way",
                        RETRY_AFTER)));
        Caller caller = call.caller();
        call.result(RowJson.write(json(report, index -> mayRead(caller, index))));
    }

    private boolean mayRead(Caller caller, String index) {
        return caller.mayAny(names.spellings(index).stream().map(Scope::read).toList());
    }

    private static ObjectNode json(AdviceReport report, Predicate<String> mayRead) {
        ObjectNode json = object().put("watchedSeconds", report.watched().toSeconds());
        ArrayNode advice = json.putArray("advice");
        report.advice().forEach(one -> advice.add(json(one, mayRead.test(one.index()))));
        ArrayNode indexes = json.putArray("indexes");
        report.indexes().forEach(one -> indexes.add(json(one, mayRead.test(one.index()))));
        report.notes().forEach(json.putArray("notes")::add);
        return json;
    }

    private static ObjectNode json(Advice advice, boolean mayRead) {
        ObjectNode json = object().put("kind", advice.kind().label()).put("index", advice.index());
        json.put("text", mayRead ? advice.text() : advice.guarded());
        ObjectNode figures = json.putObject("figures");
        advice.figures().forEach(figure -> put(figures, figure.name(), figure.value()));
        json.putObject("saving")
                .put("entries", advice.saving().entries())
                .put("bytes", advice.saving().bytes())
                .put("applySecondsPerChange", advice.saving().applyNanosPerChange() / 1e9)
                .put("rowFetches", advice.saving().rowFetches());
        return json;
    }

    private static void put(ObjectNode json, String name, double value) {
        if (value == Math.rint(value)) {
            json.put(name, Math.round(value));
        } else {
            json.put(name, value);
        }
    }

    private static ObjectNode json(IndexFacts facts, boolean mayRead) {
        KeyShape shape = facts.shape();
        ObjectNode json = object().put("index", facts.index())
                .put("table", facts.definition().table());
        json.put("entries", shape.entries()).put("bytes", shape.bytes());
        json.put("distinctValues", shape.distinct()).put("allValuesSeen", shape.complete());
        ArrayNode heaviest = json.putArray("heaviest");
        for (KeyShape.Weight weight : shape.heaviest()) {
            ObjectNode one = heaviest.addObject();
            if (mayRead) {
                one.set("value", weight.value().toJson());
            }
            one.put("entries", weight.entries()).put("share", shape.share(weight));
        }
        ArrayNode heavyKeys = json.putArray("heavyKeys");
        for (HeavyKeys.Share heavy : AdviceRules.heavyKeys(facts)) {
            ObjectNode one = heavyKeys.addObject();
            if (mayRead) {
                heavy.values(facts.definition().key())
                        .forEach(value -> one.withArray("key").add(value.toJson()));
            }
            one.put("share", heavy.share());
        }
        Usage usage = facts.usage();
        json.put("queries", usage.queries()).put("fetches", usage.fetches());
        json.put("updates", usage.updates()).put("moved", usage.moved());
        json.put("applySecondsPerChange", seconds(facts.applyPerChange()));
        return json;
    }
}
