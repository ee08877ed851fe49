package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.Generation;
import dev.tidemark.http.BodyRule;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.PeerAnswer;
import dev.tidemark.worker.query.QueryEngine;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.QueryResult;
import dev.tidemark.worker.query.UnknownIndexException;

/** What workers ask each other, and who they are. Rights are checked where a question came from. */
public record PeerRoutes(
        IndexNames names,
        QueryEngine engine,
        QueryLimits limits,
        WorkersJson workers,
        LagJson lag,
        QuarantineJson quarantine) {
    static final String ENTRIES = "/v1/peer/entries";
    static final String INDEXES = "/v1/peer/indexes";
    static final String LAG = "/v1/peer/lag";
    static final String QUARANTINE = "/v1/peer/quarantine";
    static final String QUARANTINED = QUARANTINE + "/records";
    static final String SHARDS = "/v1/peer/shards";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final int LONGEST_QUESTION = 1 << 20;

    List<Route> routes() {
        return List.of(
                Route.post(ENTRIES, Permission.PEER, this::entries)
                        .taking(BodyRule.of(LONGEST_QUESTION, "application/json"))
                        .directly(this::direct),
                Route.get(SHARDS, Permission.PEER, call -> call.result(RowJson.write(workers.own()))),
                Route.get(
                        LAG, Permission.PEER, call -> WorkerRoutes.large(call, lag.answerBytes(), () -> lag.lag(true))),
                Route.get(
                        INDEXES,
                        Permission.PEER,
                        call -> WorkerRoutes.large(call, lag.answerBytes(), () -> lag.indexes(true))),
                Route.get(INDEXES + "/{index}", Permission.PEER, call -> {
                    call.reserveAnswer(lag.answerBytes());
                    call.result(RowJson.write(lag.index(names.find(call.pathParam("index")), true)));
                }),
                Route.get(QUARANTINE, Permission.PEER, call -> call.result(RowJson.write(quarantine.countsJson()))),
                Route.get(QUARANTINED, Permission.PEER, this::quarantined).reading("shard", "limit", "cursor"),
                Route.get("/v1/workers", Permission.TOKEN, call -> call.result(RowJson.write(workers.all()))));
    }

    /** Answers a short question from what is in memory; every other one is for the handler. */
    private Optional<CompletionStage<?>> direct(Call call) throws Exception {
        JsonNode json = Requests.object(call);
        IndexQuery part = PeerCodec.question(json, index(json), limits);
        if (part.limit() > QueryEngine.MOST_DIRECT) {
            return Optional.empty();
        }
        try (QueryResult answer = engine.answerFromMemory(part)) {
            answer(call, answer);
            return Optional.of(CompletableFuture.completedFuture(call));
        }
    }

    private static void answer(Call call, QueryResult answer) {
        call.reserveAnswer(PeerCodec.bytes(answer));
        call.contentType("application/octet-stream").result(PeerCodec.answer(answer));
    }

    private void entries(Call call) throws BadInputException, InterruptedException {
        JsonNode json = Requests.object(call);
        IndexQuery part = PeerCodec.question(json, index(json), limits);
        PeerAnswer given = engine.answerPeer(part);
        if (!(given instanceof PeerAnswer.Found found)) {
            throw refusal(given);
        }
        try (QueryResult answer = found.part()) {
            answer(call, answer);
        }
    }

    private void quarantined(Call call) {
        quarantine.list(
                CopyRoutes.shard(call),
                Requests.limit(call, QuarantineJson.MOST_RECORDS, QuarantineJson.MOST_RECORDS),
                Requests.parameter(call, "cursor").map(QuarantineJson.Cursor::parse),
                list -> call.result(RowJson.write(list)));
    }

    private static ProblemException refusal(PeerAnswer given) {
        if (given instanceof PeerAnswer.NotHeld) {
            return new ProblemException(Refusals.notHeld(given.detail()));
        }
        if (given instanceof PeerAnswer.NotServing) {
            return notServing(given.detail());
        }
        if (given instanceof PeerAnswer.LostToken) {
            return new ProblemException(Refusals.gone(given.detail()));
        }
        return new ProblemException(Refusals.notAnswerable(given.detail()));
    }

    private IndexNames.Found index(JsonNode json) throws BadInputException {
        String name = json.path("index").asText();
        long id = json.path("generation").asLong();
        try {
            IndexNames.Found found = names.find(name);
            Optional<Generation> generation = found.plan().generations().stream()
                    .filter(each -> each.id() == id)
                    .findFirst();
            return found.in(generation.orElseThrow(
                    () -> notServing("generation " + id + " of index " + name + " is not known here")));
        } catch (UnknownIndexException e) {
            throw notServing(String.valueOf(e.getMessage()));
        }
    }

    private static ProblemException notServing(String detail) {
        return new ProblemException(Problem.retryable(425, "Index is being built", detail, RETRY_AFTER));
    }
}
