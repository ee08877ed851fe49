package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.http.BodyRule;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.verify.VerifyJob;
import dev.tidemark.worker.verify.VerifyJobs;
import dev.tidemark.worker.verify.VerifyRequest.Mode;
import dev.tidemark.worker.verify.VerifySpec;

/** {@code POST /v1/verify} accepts a verification job. {@code GET /v1/verify/{id}} returns its state. */
public record VerifyRoutes(Supplier<Definitions> definitions, VerifyJobs jobs) {
    private static final long BYTES_A_BYTE = 16;
    private static final int MAX_ORDER_BYTES = 16 * 1024;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Set<String> MEMBERS = Set.of("table", "index", "mode", "repair");

    List<Route> routes() {
        return List.of(
                Route.post("/v1/verify", Permission.ADMIN, this::submit)
                        .taking(BodyRule.of(MAX_ORDER_BYTES, "application/json")),
                Route.get("/v1/verify/{id}", Permission.ADMIN, this::tell));
    }

    private void submit(Call call) throws BadInputException {
        VerifySpec order = order(Requests.object(call));
        VerifyJob job = jobs.submit(order)
                .orElseThrow(() -> new ProblemException(Problem.retryable(
                        429,
                        "Too many orders",
                        "expected at most " + VerifyJobs.MOST_WAITING + " orders to wait",
                        RETRY_AFTER)));
        call.status(202).header("Location", "/v1/verify/" + job.id());
        answer(call, job);
    }

    private void tell(Call call) {
        String id = call.pathParam("id");
        answer(
                call,
                jobs.find(id)
                        .orElseThrow(() -> new ProblemException(
                                Problem.notFound("expected the id of one of the last orders, but got " + id))));
    }

    private void answer(Call call, VerifyJob job) {
        // What cannot be read is shown in hexadecimal, and everything is held as a tree and as text.
        call.reserveAnswer(BYTES_A_BYTE * job.state().bytes());
        Optional<DesiredTable> table = definitions.get().table(job.order().table());
        ObjectNode json = VerifyJson.of(job, table.map(DesiredTable::definition).orElse(null));
        call.result(RowJson.write(RowRedactor.of(call).inJob(json)));
    }

    private VerifySpec order(ObjectNode json) {
        for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!MEMBERS.contains(name)) {
                throw bad("one of the members " + MEMBERS.stream().sorted().toList(), name);
            }
        }
        DesiredTable table = table(json.path("table"));
        Optional<String> index = Optional.of(json.path("index"))
                .filter(name -> !name.isMissingNode() && !name.isNull())
                .map(name -> index(table, name));
        JsonNode repair = json.path("repair");
        if (!repair.isMissingNode() && !repair.isBoolean()) {
            throw bad("repair to be true or false", repair.toString());
        }
        return new VerifySpec(table.name(), index, mode(json.path("mode")), repair.asBoolean(false));
    }

    private DesiredTable table(JsonNode name) {
        List<String> tables =
                definitions.get().tables().stream().map(DesiredTable::name).toList();
        return definitions
                .get()
                .table(name.asText())
                .orElseThrow(() -> bad("table to be one of " + tables, name.toString()));
    }

    private static String index(DesiredTable table, JsonNode name) {
        if (table.index(name.asText()).isEmpty()) {
            List<String> indexes =
                    table.indexes().stream().map(index -> index.name()).toList();
            throw bad("index to be one of " + indexes, name.toString());
        }
        return name.asText();
    }

    private static Mode mode(JsonNode mode) {
        if (mode.isMissingNode()) {
            return Mode.QUICK;
        }
        return switch (mode.asText()) {
            case "quick" -> Mode.QUICK;
            case "full" -> Mode.FULL;
            default -> throw bad("mode to be quick or full", mode.toString());
        };
    }

    private static ProblemException bad(String expected, String found) {
        return new ProblemException(
                Problem.badRequest("expected " + expected + ", but got " + (found.isEmpty() ? "none" : found)));
    }
}
