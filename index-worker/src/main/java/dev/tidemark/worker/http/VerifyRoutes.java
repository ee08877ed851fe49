package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.BodyRule;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.verify.Difference;
import dev.tidemark.worker.verify.JobState;
import dev.tidemark.worker.verify.VerifyJob;
import dev.tidemark.worker.verify.VerifyJobs;
import dev.tidemark.worker.verify.VerifyReport;
import dev.tidemark.worker.verify.VerifyRequest.Mode;
import dev.tidemark.worker.verify.VerifySpec;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.text;

/**
 * {@code POST /v1/verify} accepts a verification job for all workers of the replica group. {@code GET /v1/verify/{id}}
 * returns its state.
 *
 * @param jobs the parts that this worker carries out
 * @param group the parts of other workers
 */
public record VerifyRoutes(
        Supplier<Definitions> definitions, VerifyJobs jobs, Shards shards, GroupVerifications group) {
    private static final long BYTES_A_BYTE = 16;

    /** What the answer of another worker takes, unless very many rows differ. */
    private static final long PART_BYTES = 1 << 20;

    private static final int MAX_ORDER_BYTES = 16 * 1024;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Set<String> MEMBERS = Set.of("table", "index", "mode", "repair");

    List<Route> routes() {
        return List.of(
                Route.post("/v1/verify", Permission.ADMIN, this::submit)
                        .taking(BodyRule.of(MAX_ORDER_BYTES, "application/json")),
                Route.get("/v1/verify/{id}", Permission.ADMIN, call -> answer(call, found(call))),
                Route.post(
                                GroupVerifications.HERE,
                                Permission.PEER,
                                call -> answerPart(call, taken(Requests.object(call))))
                        .taking(BodyRule.of(MAX_ORDER_BYTES, "application/json")),
                Route.get(GroupVerifications.HERE + "/{id}", Permission.PEER, call -> answerPart(call, found(call))));
    }

    private void submit(Call call) throws BadInputException {
        VerifyJob job = taken(Requests.object(call));
        group.submit(job.id(), order(job));
        call.status(202).header("Location", "/v1/verify/" + job.id());
        answer(call, job);
    }

    private VerifyJob taken(ObjectNode order) {
        return jobs.submit(order(order))
                .orElseThrow(() -> new ProblemException(Problem.retryable(
                        429,
                        "Too many orders",
                        "expected at most " + VerifyJobs.MOST_WAITING + " orders to wait",
                        RETRY_AFTER)));
    }

    private VerifyJob found(Call call) {
        String id = call.pathParam("id");
        return jobs.find(id)
                .orElseThrow(() -> new ProblemException(
                        Problem.notFound("expected the id of one of the last orders, but got " + id)));
    }

    private void answer(Call call, VerifyJob job) {
        // What cannot be read is shown in hexadecimal, and everything is held as a tree and as text.
        call.reserveAnswer(BYTES_A_BYTE * job.state().bytes() + PART_BYTES * group.others(job.id()));
        ObjectNode json = object().put("id", job.id());
        json.setAll(order(job).<ObjectNode>without("index"));
        group.describe(json, part(job));
        call.result(RowJson.write(RowRedactor.of(call).inJob(json)));
    }

    private void answerPart(Call call, VerifyJob job) {
        call.reserveAnswer(BYTES_A_BYTE * job.state().bytes());
        call.result(RowJson.write(part(job).put("id", job.id())));
    }

    /** An order, as another worker takes it. */
    private static ObjectNode order(VerifyJob job) {
        VerifySpec order = job.order();
        ObjectNode json = object().put("table", order.table());
        order.index().ifPresent(index -> json.put("index", index));
        return json.put("mode", order.mode().name().toLowerCase(Locale.ROOT)).put("repair", order.repair());
    }

    /** The state of an order at this worker. */
    private ObjectNode part(VerifyJob job) {
        Optional<TableDefinition> table =
                definitions.get().table(job.order().table()).map(DesiredTable::definition);
        ObjectNode json = state(job, table);
        ArrayNode held = json.putArray(VerifyParts.HELD);
        shards.assigned().stream()
                .map(OpenShard::id)
                .filter(shard -> shards.definitions()
                        .table(shard.table())
                        .filter(holder -> isWanted(holder, job.order()))
                        .isPresent())
                .forEach(shard -> held.add(shard.partition()));
        return json;
    }

    /** Whether the shards of a table have something that is to be compared. */
    private static boolean isWanted(DesiredTable table, VerifySpec order) {
        return DerivedTable.base(table.name()).equals(order.table())
                && table.generations().stream()
                        .map(generation -> generation.definition().name())
                        .anyMatch(name -> name.equals(order.index().orElse(name)));
    }

    /**
     * The state of a job.
     *
     * @param table its table; empty when it is gone
     */
    private static ObjectNode state(VerifyJob job, Optional<TableDefinition> table) {
        ObjectNode json = object();
        JobState state = job.state();
        if (state instanceof JobState.Running running) {
            json.put("state", VerifyParts.RUNNING).put("rows", running.rows()).put("rowsTotal", running.total());
        } else if (state instanceof JobState.Failed failed) {
            json.put("state", VerifyParts.FAILED).put(VerifyParts.DETAIL, failed.why());
        } else if (state instanceof JobState.Done done) {
            add(json.put("state", VerifyParts.DONE), done.found(), table);
            json.put("repaired", done.repaired()).put("equal", done.latest().isEqual());
            done.after().ifPresent(after -> add(json.putObject("after"), after, table));
        } else {
            json.put("state", VerifyParts.WAITING);
        }
        return json;
    }

    private static void add(ObjectNode json, VerifyReport report, Optional<TableDefinition> table) {
        json.put("basis", report.basis().name().toLowerCase(Locale.ROOT)).put("rows", report.rows());
        report.rowsByHome().forEach(json.putObject(VerifyParts.HOMES)::put);
        json.putObject("watermark")
                .put("version", report.watermark().version().toString())
                .put("time", report.watermark().time().toString());
        report.missingPartitions().forEach(json.putArray("missingPartitions")::add);
        ArrayNode indexes = json.putArray("indexes");
        report.indexes().forEach(index -> add(indexes.addObject(), index, table));
    }

    private static void add(ObjectNode json, VerifyReport.OfGeneration index, Optional<TableDefinition> table) {
        IndexDefinition definition = index.generation().definition();
        json.put("index", definition.name())
                .put("generation", index.generation().id());
        json.put("entries", index.entries()).put("valid", index.valid());
        for (Difference.Kind kind : Difference.Kind.values()) {
            json.put(kind.label(), index.count(kind));
        }
        json.put("undecided", index.undecided()).put("digestsAgree", index.digestsAgree());
        index.missing().forEach(json.putArray("missingPartitions")::add);
        ArrayNode examples = json.putArray("examples");
        index.examples().forEach(example -> add(examples.addObject(), example, definition, table));
    }

    /** A difference. A value that cannot be decoded, which may be the difference itself, is in hexadecimal. */
    private static void add(
            ObjectNode json, Difference difference, IndexDefinition index, Optional<TableDefinition> table) {
        KeyBytes row = difference.primaryKey();
        JsonNode key = table.map(known -> QuarantineJson.key(known, row)).orElse(TextNode.valueOf("0x" + row));
        json.put("kind", difference.kind().label()).set("primaryKey", key);
        json.put("shard", difference.partition()).set("key", key(difference.entry(), index));
        json.set("found", carried(difference.found()));
        json.set("expected", carried(difference.expected()));
        json.put("version", text(difference.version())).put("factVersion", text(difference.factVersion()));
    }

    private static JsonNode key(KeyBytes entry, IndexDefinition index) {
        try {
            return JsonValues.fields(index, entry);
        } catch (MalformedKeyException e) {
            return TextNode.valueOf("0x" + entry);
        }
    }

    /** Null for no entry, an empty object for one that carries nothing. */
    private static JsonNode carried(Optional<KeyBytes> carried) {
        if (carried.isEmpty()) {
            return NullNode.getInstance();
        }
        byte[] bytes = carried.get().array();
        try {
            return bytes.length == 0 ? object() : RowJson.parseObject(bytes);
        } catch (BadJsonException e) {
            return TextNode.valueOf(new String(bytes, StandardCharsets.UTF_8));
        }
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
