package dev.tidemark.writer.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.catalog.OperationRefusedException;
import dev.tidemark.catalog.SourceChange;
import dev.tidemark.http.BodyRule;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.catalog.CatalogRegistry;
import dev.tidemark.writer.catalog.UnconfirmedException;
import dev.tidemark.writer.catalog.VersionMovedException;

/** Handles the calls that return and change the definitions. */
record CatalogHandlers(CatalogRegistry registry) {
    /** What an index takes as a tree and as text, about. */
    private static final long INDEX_BYTES = 4L << 10;

    private static final Pattern TAG = Pattern.compile("\\s*\"([1-9][0-9]{0,17})\"\\s*");
    private static final String IF_MATCH = "If-Match";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final int MAX_ORDER_BYTES = 4_096;

    /** The body of an order. */
    static final BodyRule ORDER = BodyRule.of(MAX_ORDER_BYTES, "application/json");

    /** The body of a catalog. */
    static final BodyRule CATALOG = BodyRule.of(
            CatalogReader.MAX_SIZE,
            "application/yaml",
            "application/json",
            "application/x-yaml",
            "text/yaml",
            "text/x-yaml");

    private static final List<String> TABLE_ORDERS = List.of(Definitions.PAUSE_TABLE, Definitions.RESUME_TABLE);
    private static final List<String> ORDER_KEYS = List.of("order", "table", "index");

    void get(Call call) throws InterruptedException {
        Definitions current = settled(false);
        call.header("ETag", tag(current));
        call.reserveAnswer(current.catalog().indexes().size() * INDEX_BYTES);
        call.result(DefinitionsJson.write(current));
    }

    /** Puts a whole catalog in force; with {@code dry_run=true}, only returns what that would change. */
    void put(Call call) throws BadInputException, InterruptedException {
        boolean dry = dryRun(call);
        call.reserve(CatalogReader.HEAP_BYTES_A_BYTE * call.body().length);
        Catalog wanted = Requests.isJson(call)
                ? CatalogReader.readJson("catalog", call.body())
                : CatalogReader.read("catalog", call.body());
        Definitions before = settled(!dry);
        long expected = dry && call.header(IF_MATCH) == null ? before.version() : expected(call, before);
        List<String> reasons = before.foreign(wanted);
        if (expected == before.version() && !reasons.isEmpty()) {
            throw new ProblemException(conflict(
                    "a change may create, change and drop indexes and sources, and change partitions, but not touch"
                            + " tables otherwise",
                    reasons));
        }
        change(call, expected, dry, registry.to(wanted));
    }

    /** Carries out an order. */
    void order(Call call) throws BadInputException, InterruptedException {
        CatalogRegistry.Change change = change(Requests.object(call));
        boolean dry = dryRun(call);
        change(call, expected(call, settled(!dry)), dry, change);
    }

    /**
     * The definitions in force.
     *
     * @param confirmed whether to wait first until they can be changed, so that a change of any version, {@code *},
     *     starts from those in force afterwards
     */
    private Definitions settled(boolean confirmed) throws InterruptedException {
        try {
            if (confirmed) {
                registry.awaitConfirmed();
            }
            return registry.settled();
        } catch (UnconfirmedException e) {
            throw unconfirmed(e);
        }
    }

    private void change(Call call, long expected, boolean dry, CatalogRegistry.Change change)
            throws BadInputException, InterruptedException {
        try {
            Definitions before = registry.inForce(expected);
            Definitions after = dry ? change.from(before, before.at()) : registry.change(expected, change);
            if (!dry) {
                call.header("ETag", tag(after));
            }
            // The generation that each index has afterwards, or, where it is dropped, had before.
            ObjectNode json = json(after.version(), before.diff(after), one -> {
                Definitions holder = one instanceof IndexChange.Drop ? before : after;
                return holder.index(one.index().table(), one.index().name()).map(DesiredIndex::current);
            });
            List<SourceChange> sources = before.sourceChanges(after.catalog());
            if (!sources.isEmpty()) {
                json.set("sources", DefinitionJson.of(sources));
            }
            call.result(RowJson.write(json));
        } catch (VersionMovedException e) {
            throw new ProblemException(
                    Problem.of(412, "Precondition failed", e.getMessage() + "; " + text(e.meanwhile()))
                            .with(json(e.version(), e.meanwhile(), meanwhile -> Optional.empty())));
        } catch (OperationRefusedException e) {
            throw new ProblemException(conflict(e.getMessage(), List.of()));
        } catch (UnconfirmedException e) {
            throw unconfirmed(e);
        }
    }

    private static ObjectNode json(
            long version, List<IndexChange> changes, Function<IndexChange, Optional<Generation>> generation) {
        ObjectNode json = RowJson.mapper().createObjectNode().put("version", version);
        ArrayNode list = json.putArray("changes");
        for (IndexChange change : changes) {
            ObjectNode one = list.addObject().put("action", change.action());
            one.put("table", change.index().table()).put("index", change.index().name());
            generation.apply(change).ifPresent(current -> one.put("generation", current.id()));
        }
        return json;
    }

    /** Describes the changes in words, as made by another client. */
    private static String text(List<IndexChange> changes) {
        return changes.isEmpty()
                ? "look at GET /v1/catalog for what it is now"
                : "in between, another client did "
                        + changes.stream()
                                .map(change ->
                                        change.action() + " " + change.index().qualifiedName())
                                .collect(Collectors.joining(", "));
    }

    private static ProblemException unconfirmed(UnconfirmedException e) {
        return new ProblemException(
                Problem.retryable(503, "Definitions unconfirmed", String.valueOf(e.getMessage()), RETRY_AFTER)
                        .typed(e.isOutcomeKnown() ? ProblemType.DEFINITIONS_UNCONFIRMED : ProblemType.OUTCOME_UNKNOWN));
    }

    /** An order about an index or a whole table. */
    private static CatalogRegistry.Change change(ObjectNode json) {
        json.fieldNames().forEachRemaining(name -> {
            if (!ORDER_KEYS.contains(name)) {
                throw bad("expected the members " + String.join(", ", ORDER_KEYS) + ", but got " + name);
            }
        });
        String order = text(json, "order");
        String table = text(json, "table");
        if (TABLE_ORDERS.contains(order)) {
            if (json.has("index")) {
                throw bad("expected no index, because " + order + " is about a whole table");
            }
            return (present, at) -> present.withPaused(table, order.equals(Definitions.PAUSE_TABLE), at);
        }
        IndexOperation ofIndex = new IndexOperation(kind(order), table, text(json, "index"));
        return (present, at) -> present.with(ofIndex, at);
    }

    private static IndexOperation.Kind kind(String name) {
        for (IndexOperation.Kind kind : IndexOperation.Kind.values()) {
            if (kind.label().equals(name)) {
                return kind;
            }
        }
        String expected = Stream.concat(
                        Stream.of(IndexOperation.Kind.values()).map(IndexOperation.Kind::label), TABLE_ORDERS.stream())
                .collect(Collectors.joining(", "));
        throw bad("expected one of " + expected + " as order, but got " + name);
    }

    private static String text(ObjectNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.isTextual()) {
            throw bad("expected a string as " + name + ", but got " + RowJson.describe(value));
        }
        return value.textValue();
    }

    private static long expected(Call call, Definitions current) {
        String match = call.header(IF_MATCH);
        if (match == null) {
            throw new ProblemException(Problem.of(
                    428,
                    "Precondition required",
                    "expected If-Match with the version that the change was made from, as GET /v1/catalog gives it in"
                            + " ETag, so that no change is lost"));
        }
        if (match.trim().equals("*")) {
            return current.version();
        }
        Matcher tag = TAG.matcher(match);
        if (!tag.matches()) {
            throw bad("expected a version in double quotes, as in If-Match: " + tag(current) + ", or *, but got "
                    + match);
        }
        return Long.parseLong(tag.group(1));
    }

    private static boolean dryRun(Call call) {
        return Requests.flag(call, "dry_run");
    }

    private static String tag(Definitions definitions) {
        return "\"" + definitions.version() + "\"";
    }

    private static Problem conflict(String detail, List<String> errors) {
        return new Problem(409, "Conflict", detail, errors, Optional.empty());
    }

    private static ProblemException bad(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }
}
