package dev.tidemark.worker.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.BodyRule;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.generation.LifecycleState;
import dev.tidemark.worker.generation.OperationRule;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.UnknownIndexException;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * Routes that show, create, drop, pause, resume, cancel and roll back one index. The writer keeps the definitions. If
 * another change comes first, the change is made again from the definitions then in force. An order is not, where its
 * index has other generations then.
 */
public record CatalogRoutes(CatalogClient writer, IndexNames names, GroupIndexes indexes) {
    private static final int MAX_BYTES = 64 * 1024;
    private static final String TABLE = "table";
    private static final String INDEX = "index";

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(Route.get("/v1/indexes/{index}", Permission.READ_INDEX, this::show));
        routes.add(Route.post("/v1/indexes", Permission.ADMIN, this::create)
                .taking(BodyRule.of(MAX_BYTES, "application/json")));
        routes.add(Route.delete("/v1/indexes/{index}", Permission.ADMIN, this::drop));
        for (IndexOperation.Kind kind : List.of(
                IndexOperation.Kind.PAUSE,
                IndexOperation.Kind.RESUME,
                IndexOperation.Kind.CANCEL,
                IndexOperation.Kind.ROLLBACK)) {
            routes.add(Route.post("/v1/indexes/{index}/" + kind.label(), Permission.ADMIN, call -> order(call, kind)));
        }
        return routes;
    }

    private void show(Call call) throws BadInputException, UnknownIndexException {
        ObjectNode json = indexes.index(names.find(call.pathParam("index")));
        call.result(RowJson.write(RowRedactor.of(call).inIndex(json)));
    }

    private void create(Call call) throws InterruptedException, BadInputException {
        ObjectNode wanted = Requests.object(call);
        String table = taken(wanted, TABLE);
        String name = taken(wanted, INDEX);
        if (wanted.path("where").isObject() && wanted.path("where").isEmpty()) {
            wanted.remove("where");
        }
        Definitions after;
        try (WriterCallLimit.Turn turn = writer.turn(call::reserve)) {
            writer.change(turn, (present, now) -> created(present, table, name, wanted, now));
            after = writer.definitions(turn);
        }
        DesiredIndex plan = after.index(table, name)
                .orElseThrow(() ->
                        conflict("index " + name + " of " + table + " was created, and another client dropped it"));
        call.header(
                "Location",
                "/v1/indexes/" + after.catalog().publicName(plan.current().definition()));
        answer(call, plan, after.version());
    }

    private Optional<Long> created(
            Definitions present, String table, String name, ObjectNode wanted, WriterCallLimit.Turn turn)
            throws InterruptedException, CatalogException {
        if (present.table(table).isEmpty()) {
            List<String> tables =
                    present.tables().stream().map(plan -> plan.name()).toList();
            throw new ProblemException(Problem.badRequest(
                    "expected one of the tables " + String.join(", ", tables) + ", but got " + table));
        }
        ObjectNode catalog = DefinitionJson.of(present.wanted());
        ((ObjectNode) catalog.path("tables").path(table).path("indexes")).set(name, wanted);
        Catalog read = read(catalog);
        IndexDefinition definition = read.table(table)
                .flatMap(found -> found.index(name))
                .orElseThrow(() -> new IllegalStateException("Expected the index that was just added"));
        Optional<DesiredIndex> there = present.index(table, name);
        if (there.isPresent() && there.get().current().means(definition)) {
            return Optional.of(present.version());
        }
        if (there.isPresent()) {
            throw conflict("table " + table + " has an index " + name
                    + " with another definition; change it with tidemark apply, or drop it first");
        }
        requireNoMoveBut(present, table, name);
        return writer.put(catalog, present.version(), turn);
    }

    /**
     * Requires that the definitions as a catalog move no other index: one whose move alone was taken back would move
     * again with the next catalog.
     */
    private static void requireNoMoveBut(Definitions present, String table, String index) {
        List<String> moving = present.diff(present.wanted()).stream()
                .map(IndexChange::index)
                .filter(other -> !other.table().equals(table) || !other.name().equals(index))
                .map(IndexDefinition::qualifiedName)
                .toList();
        if (!moving.isEmpty()) {
            throw conflict("nothing was changed, because " + String.join(", ", moving)
                    + " would move again: the move was cancelled or rolled back for some indexes of a table only. First"
                    + " bring a file in force with tidemark apply, which shows what moves, or cancel or roll back the"
                    + " other indexes of the table");
        }
    }

    /** The client has sent a part of it only, so that the name of the whole helps no client. */
    private static Catalog read(ObjectNode catalog) throws CatalogException {
        try {
            return CatalogReader.read("request", catalog);
        } catch (CatalogException e) {
            throw new CatalogException(e.problems().stream()
                    .map(problem -> problem.replaceFirst("^request: ", ""))
                    .toList());
        }
    }

    private void drop(Call call) throws InterruptedException, BadInputException {
        String name = call.pathParam(INDEX);
        CatalogClient.Changed done = change(call, (present, turn) -> {
            IndexDefinition index = named(present, name).current().definition();
            requireNoMoveBut(present, index.table(), index.name());
            ObjectNode catalog = DefinitionJson.of(present.wanted());
            ((ObjectNode) catalog.path("tables").path(index.table()).path("indexes")).remove(index.name());
            return writer.put(catalog, present.version(), turn);
        });
        answer(call, named(done.before(), name), done.version());
    }

    private void order(Call call, IndexOperation.Kind kind) throws InterruptedException, BadInputException {
        String name = call.pathParam(INDEX);
        AtomicReference<@Nullable DesiredIndex> before = new AtomicReference<>();
        CatalogClient.Changed done = change(call, (present, turn) -> {
            DesiredIndex plan = named(present, name);
            requireSame(before.getAndSet(plan), plan);
            refuse(present, plan, kind);
            return writer.order(kind, plan, present.version(), turn);
        });
        answer(call, named(done.before(), name), done.version());
    }

    /**
     * Requires that an index has the generations of the attempt before. After another client's rollback, a second one
     * would return to the generation that both clients wanted to leave.
     */
    private static void requireSame(@Nullable DesiredIndex before, DesiredIndex now) {
        if (before != null && !before.generations().equals(now.generations())) {
            throw conflict("index " + now.current().definition().qualifiedName()
                    + " was changed meanwhile: it had the generations " + ids(before) + ", and has " + ids(now)
                    + " now; give the order again if it is still wanted");
        }
    }

    private static List<Long> ids(DesiredIndex plan) {
        return plan.generations().stream().map(Generation::id).toList();
    }

    private void refuse(Definitions present, DesiredIndex plan, IndexOperation.Kind kind) {
        String table = plan.current().definition().table();
        Optional<String> reason = present.table(table).stream()
                .flatMap(found -> states(kind, found.definition(), plan))
                .flatMap(state -> OperationRule.refusal(kind, plan, state).stream())
                .findFirst();
        if (reason.isPresent()) {
            throw conflict(reason.get());
        }
    }

    /** An index that is cancelled goes everywhere, so that no replica group may answer from it. */
    private Stream<LifecycleState> states(IndexOperation.Kind kind, TableDefinition table, DesiredIndex plan) {
        return kind == IndexOperation.Kind.CANCEL
                ? indexes.states(table, plan).stream()
                : Stream.of(indexes.life(table, plan).state());
    }

    private static ProblemException conflict(String detail) {
        return new ProblemException(Problem.of(409, "Conflict", detail));
    }

    private CatalogClient.Changed change(Call call, CatalogClient.Attempt attempt)
            throws InterruptedException, BadInputException {
        try (WriterCallLimit.Turn turn = writer.turn(call::reserve)) {
            return writer.change(turn, attempt);
        }
    }

    private static DesiredIndex named(Definitions present, String name) throws BadInputException {
        try {
            return IndexNames.find(name, present).plan();
        } catch (UnknownIndexException e) {
            throw new ProblemException(Problem.notFound(String.valueOf(e.getMessage())));
        }
    }

    private static void answer(Call call, DesiredIndex plan, long version) {
        Generation current = plan.current();
        ObjectNode json =
                object().put(INDEX, plan.name()).put(TABLE, current.definition().table());
        json.put("generation", current.id()).put("version", version);
        call.status(202).result(RowJson.write(json));
    }

    private static String taken(ObjectNode wanted, String member) {
        JsonNode value = wanted.path(member);
        if (!value.isTextual()) {
            throw new ProblemException(
                    Problem.badRequest("expected a name as " + member + ", but got " + RowJson.describe(value)));
        }
        wanted.remove(member);
        return value.textValue();
    }
}
