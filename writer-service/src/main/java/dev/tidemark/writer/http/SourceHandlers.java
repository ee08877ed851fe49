package dev.tidemark.writer.http;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.access.Scope;
import dev.tidemark.catalog.RowSource;
import dev.tidemark.http.Access;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.RowRefusedException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.SourceRequest;

/** The calls of the process that follows another database and brings its rows. */
record SourceHandlers(Tables tables, FactStore store, Committer committer, int maxBytes) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    void get(Call call) {
        String source = call.pathParam("name");
        Map<String, RowRules> followers = followers(call, source);
        // Before the position is read: what it says of the past is then true of this time, too.
        Instant now = now();
        Optional<SourcePosition> stored = store.sourcePosition(source);
        ObjectNode json = RowJson.mapper().createObjectNode().put("name", source);
        json.set("position", stored.<JsonNode>map(SourcePosition::position).orElse(null));
        json.put(
                "watermark",
                stored.flatMap(SourcePosition::watermark).map(Instant::toString).orElse(null));
        json.put("time", now.toString());
        json.put(
                "restated",
                stored.map(SourcePosition::restated)
                        .filter(version -> !version.equals(RowVersion.NONE))
                        .map(RowVersion::toString)
                        .orElse(null));
        ArrayNode list = json.putArray("tables");
        followers.forEach((name, rules) -> {
            ObjectNode one = list.addObject().put("table", name);
            rules.table().source().map(RowSource::table).ifPresent(from -> one.put("source", from));
            ArrayNode key = one.putArray("primaryKey");
            rules.table().primaryKey().forEach(field -> key.add(field.toString()));
            one.put(
                    "watermark",
                    stored.flatMap(position -> position.watermarkOf(name, rules.sourceSince()))
                            .map(Instant::toString)
                            .orElse(null));
            one.put("since", rules.sourceSince());
        });
        call.result(RowJson.write(json));
    }

    /** Refuses what is no batch before any of it is read. */
    int body(Call call) {
        followers(call, call.pathParam("name"));
        Requests.requireType(call, "application/json");
        return maxBytes;
    }

    void batch(Call call) throws BadInputException {
        String source = call.pathParam("name");
        Map<String, RowRules> followers = followers(call, source);
        requireInForce(followers);
        SourceBatch batch = new SourceBatch(source, followers, lenient(call));
        SourceBatchReader reader = new SourceBatchReader(batch, new HeldMemory(call));
        try {
            reader.read(call.body());
        } catch (SourceBatchReader.RefusedChangeException e) {
            throw new ProblemException(refused(e));
        }
        SourceRequest request = batch.request(reader.after(), reader.position(), watermark(reader), reader.covered());
        List<CommitOutcome> outcomes = new Submitter(committer).commit(request);
        requireApplied(source, batch, outcomes);
        call.result(RowJson.write(answer(request, outcomes)));
    }

    /** Tables of the catalog file come into force once it is known which definitions were published before. */
    private static void requireInForce(Map<String, RowRules> followers) {
        if (followers.values().stream().anyMatch(rules -> rules.sourceSince() == 0)) {
            throw new ProblemException(Problem.retryable(
                            503,
                            "Definitions unconfirmed",
                            "a table that follows the source is not in force yet, because the writer has not read which"
                                    + " definitions were published before",
                            RETRY_AFTER)
                    .typed(ProblemType.DEFINITIONS_UNCONFIRMED));
        }
    }

    private Optional<Instant> watermark(SourceBatchReader reader) throws BadInputException {
        Optional<Instant> watermark = reader.watermark();
        Instant now = now();
        if (watermark
                .filter(time -> time.isAfter(now) || time.isBefore(Instant.EPOCH))
                .isPresent()) {
            throw new ProblemException(
                    Problem.badRequest("expected a watermark that this writer gave as time, from 1970" + " to " + now
                            + ", but got " + watermark.get()));
        }
        return watermark;
    }

    private static boolean lenient(Call call) {
        return Requests.flag(call, "admit_unindexable");
    }

    private ObjectNode answer(SourceRequest request, List<CommitOutcome> outcomes) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.set("position", request.position());
        json.put("time", now().toString());
        json.put("changes", outcomes.stream().filter(CommitOutcome::applied).count());
        RowVersion newest = RowVersion.NONE;
        for (CommitOutcome outcome : outcomes) {
            RowVersion version = version(outcome);
            newest = version.isAfter(newest) ? version : newest;
        }
        json.put("version", newest.equals(RowVersion.NONE) ? null : newest.toString());
        RowVersion last = committer.frontier().version();
        json.put("nextVersion", new RowVersion(last.epoch(), last.sequence() + 1).toString());
        return json;
    }

    private static RowVersion version(CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Written written) {
            return written.version();
        }
        return outcome instanceof CommitOutcome.Deleted deleted ? deleted.version() : RowVersion.NONE;
    }

    /**
     * The time that commit order has reached. What is committed elsewhere from now on is not before it, also by the
     * clock of a later process, which never goes back behind it.
     */
    private Instant now() {
        return committer.frontier().time();
    }

    private void requireApplied(String source, SourceBatch batch, List<CommitOutcome> outcomes) {
        if (outcomes.size() == 1) {
            whole(source, outcomes.get(0)).ifPresent(problem -> {
                throw new ProblemException(problem);
            });
        }
        List<SourceBatch.Change> changes = batch.inOrder();
        for (int i = 0; i < outcomes.size(); i++) {
            SourceBatch.Change change = changes.get(i);
            CommitOutcome outcome = outcomes.get(i);
            if (outcome instanceof CommitOutcome.Refused || outcome instanceof CommitOutcome.NoMemory) {
                String table = change.rules().table().name();
                JsonNode key =
                        Tables.shown(change.rules().table(), change.command().key());
                throw new ProblemException(
                        named(CommandAnswers.problem(table, key, outcome), change.place(), table, key));
            }
        }
    }

    /** Why a batch was refused as a whole. */
    private static Optional<Problem> whole(String source, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.PositionMoved moved) {
            return Optional.of(moved(source, moved.current()));
        }
        if (outcome instanceof CommitOutcome.Restated restated) {
            return Optional.of(restated(source, restated.through()));
        }
        if (outcome instanceof CommitOutcome.TooMuchKept kept) {
            return Optional.of(tooMuchKept(kept.most()));
        }
        return outcome instanceof CommitOutcome.WatermarkTooEarly early
                ? Optional.of(
                        watermarkTooEarly(early.stored().map(Instant::toString).orElse("")))
                : Optional.empty();
    }

    private static Problem watermarkTooEarly(String stored) {
        return Problem.of(
                        409,
                        "Watermark too early",
                        "expected a watermark of at least " + stored + ", which is stored, with tables that it is not"
                                + " about; nothing was applied")
                .typed(ProblemType.WATERMARK_BEHIND)
                .with(RowJson.mapper().createObjectNode().put("watermark", stored));
    }

    private static Problem moved(String source, Optional<SourcePosition> current) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.set("position", current.<JsonNode>map(SourcePosition::position).orElse(null));
        return Problem.of(
                        409,
                        "Source moved",
                        "expected after to be the position of source " + source + ", "
                                + current.map(now -> RowJson.describe(now.position()) + " in the member position")
                                        .orElse("which has none yet")
                                + "; nothing was applied, and a batch that was sent before may have been")
                .typed(ProblemType.SOURCE_MOVED)
                .with(json);
    }

    private static Problem restated(String source, RowVersion through) {
        return Problem.of(
                        409,
                        "Rows restated",
                        "expected every ifVersionBefore after version " + through + ", up to which this writer has"
                                + " committed rows of source " + source
                                + " once more that the source has not sent; nothing was applied. Read the tables again")
                .typed(ProblemType.ROWS_RESTATED)
                .with(RowJson.mapper().createObjectNode().put("restated", through.toString()));
    }

    private static Problem tooMuchKept(long most) {
        return Problem.of(
                        413,
                        "Content too large",
                        "expected no further change with keep after rows of " + most
                                + " bytes whose members were kept; nothing was applied. Send fewer changes at once")
                .typed(ProblemType.LOAD_TOO_LARGE);
    }

    private static Problem refused(SourceBatchReader.RefusedChangeException e) {
        Problem problem = e.reason instanceof RowRefusedException refusal
                ? CommandAnswers.problem(refusal)
                : Problem.badRequest(e.reason);
        if (e.rules.isEmpty() || e.row.isEmpty()) {
            return problem.detailed(String.valueOf(e.getMessage()));
        }
        RowRules rules = e.rules.get();
        return named(problem, e.place, rules.table().name(), key(rules, e.row.get()));
    }

    private static JsonNode key(RowRules rules, JsonNode row) {
        try {
            return row instanceof ObjectNode object
                    ? Tables.shown(rules.table(), rules.keyOf(object))
                    : NullNode.getInstance();
        } catch (RowRefusedException e) {
            return NullNode.getInstance();
        }
    }

    private static Problem named(Problem problem, int place, String table, JsonNode key) {
        ObjectNode json =
                RowJson.mapper().createObjectNode().put("change", place).put("table", table);
        json.set("key", key);
        String row = key.isNull() ? "" : ", row " + key;
        return problem.detailed("change " + place + row + " of table " + table + ": " + problem.detail()
                        + "; nothing was applied")
                .with(json);
    }

    private Map<String, RowRules> followers(Call call, String source) {
        Map<String, RowRules> followers = new LinkedHashMap<>();
        for (RowRules rules : tables.all()) {
            if (rules.table()
                    .source()
                    .filter(from -> from.name().equals(source))
                    .isPresent()) {
                followers.put(rules.table().name(), rules);
            }
        }
        if (followers.isEmpty()) {
            throw new ProblemException(Problem.notFound("no table of the catalog follows a source " + source));
        }
        followers.keySet().forEach(table -> Access.require(call, List.of(Scope.write(table))));
        return followers;
    }
}
