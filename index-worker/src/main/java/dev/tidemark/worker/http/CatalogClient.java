package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.eclipse.jetty.http.HttpMethod;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.TreeSize;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * Asks the writer for the definitions, and to change them. For any thread. What the writer objects to ends the request
 * with the same problem; a writer that does not answer, with 503, which says whether the change may have been made.
 */
public final class CatalogClient implements TablePauses.Orders {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The longest catalog has 4 MiB, and definitions have up to two generations of each index. */
    private static final int MOST_BYTES = 16 << 20;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final int MOVED = 412;
    private static final int ATTEMPTS = 4;
    private static final Set<Integer> REFUSED_US = Set.of(401, 403, 429);

    private final ServiceConnection writer;
    private final WriterCallLimit turns;

    /**
     * A client that takes a turn for each request.
     *
     * @param turns those of all requests that ask the writer
     */
    public CatalogClient(ServiceConnection writer, WriterCallLimit turns) {
        this.writer = writer;
        this.turns = turns;
    }

    /**
     * Takes a turn, in which one request makes all its calls to the writer.
     *
     * @param memory reserves a number of bytes before they are read, and holds them while they are needed; throws when
     *     it cannot
     */
    WriterCallLimit.Turn turn(LongConsumer memory) {
        return turns.take(PATIENCE, memory)
                .orElseThrow(() -> new ProblemException(
                        Problem.retryable(503, "Writer unavailable", WriterCallLimit.ALL_TAKEN, RETRY_AFTER)));
    }

    /**
     * Memory for the turn of a caller that is no request.
     *
     * @param held grows by what is read, as long as there is memory left
     */
    static LongConsumer growing(MemoryBudget.Reservation held) {
        return bytes -> {
            if (!held.tryGrow(bytes)) {
                throw new ProblemException(Problem.retryable(
                        503, "Out of memory", "there is no memory left to read definitions into", RETRY_AFTER));
            }
        };
    }

    /** The definitions in force. */
    Definitions definitions(WriterCallLimit.Turn turn) throws InterruptedException {
        ServiceConnection.Answer answer = send(Question.get("/v1/catalog"), turn);
        if (answer.status() != 200) {
            throw refused(answer, json(answer));
        }
        turn.reserve(TreeSize.mostBytes(answer.body()));
        try {
            return DefinitionsJson.read(answer.body());
        } catch (BadDefinitionsException e) {
            throw unavailable("gave no usable definitions: " + e.getMessage());
        }
    }

    /**
     * Brings a catalog in force.
     *
     * @param version that it was made from
     * @return the version that is in force now; empty when another one was in force before
     */
    Optional<Long> put(ObjectNode catalog, long version, WriterCallLimit.Turn turn) throws InterruptedException {
        return changed(Question.change(HttpMethod.PUT, "/v1/catalog", catalog, version), turn);
    }

    /** Has an order about an index carried out; otherwise as {@link #put}. */
    Optional<Long> order(IndexOperation.Kind kind, DesiredIndex index, long version, WriterCallLimit.Turn turn)
            throws InterruptedException {
        ObjectNode order = object().put("order", kind.label());
        order.put("table", index.current().definition().table()).put("index", index.name());
        return changed(order(order, version), turn);
    }

    @Override
    public long pause(String table, boolean paused, LongConsumer memory) throws InterruptedException {
        ObjectNode order = object().put("order", paused ? Definitions.PAUSE_TABLE : Definitions.RESUME_TABLE);
        order.put("table", table);
        try (WriterCallLimit.Turn turn = turn(memory)) {
            return change(turn, (present, same) -> changed(order(order, present.version()), same))
                    .version();
        } catch (BadInputException e) {
            throw new IllegalStateException("Expected an order that the writer can read", e);
        }
    }

    /** One attempt at a change. Returns the version in force after it, or empty when another change came first. */
    @FunctionalInterface
    interface Attempt {
        Optional<Long> on(Definitions present, WriterCallLimit.Turn turn)
                throws InterruptedException, BadInputException;
    }

    /** What was in force before a change, and the version after it. */
    record Changed(Definitions before, long version) {}

    /** Tries a change until no other one comes first. */
    Changed change(WriterCallLimit.Turn turn, Attempt attempt) throws InterruptedException, BadInputException {
        for (int i = 0; i < ATTEMPTS; i++) {
            Definitions present = definitions(turn);
            Optional<Long> version = attempt.on(present, turn);
            if (version.isPresent()) {
                return new Changed(present, version.get());
            }
        }
        throw new ProblemException(Problem.retryable(
                503,
                "Definitions are being changed",
                "other clients changed the definitions " + ATTEMPTS + " times meanwhile; nothing was changed",
                RETRY_AFTER));
    }

    private static Question order(ObjectNode order, long version) {
        return Question.change(HttpMethod.POST, "/v1/catalog/orders", order, version);
    }

    private Optional<Long> changed(Question change, WriterCallLimit.Turn turn) throws InterruptedException {
        ServiceConnection.Answer answer = send(change, turn);
        if (answer.status() == MOVED) {
            return Optional.empty();
        }
        try {
            JsonNode json = RowJson.parse(answer.body());
            if (answer.status() != 200) {
                throw refused(answer, json);
            }
            return Optional.of(json.path("version").asLong());
        } catch (BadJsonException e) {
            // A proxy may have answered in place of the writer.
            throw unknown("gave no usable answer: " + e.getMessage());
        }
    }

    private ServiceConnection.Answer send(Question question, WriterCallLimit.Turn turn) throws InterruptedException {
        try {
            return writer.send(question, turn, MOST_BYTES);
        } catch (IOException e) {
            throw question.repeatable() || e instanceof ConnectException
                    ? unavailable("cannot be reached: " + e.getMessage())
                    : unknown("gave no answer: " + e.getMessage());
        } catch (ProblemException e) {
            throw question.repeatable() ? e : unknown("gave an answer for which there is no memory left");
        }
    }

    private ProblemException refused(ServiceConnection.Answer answer, JsonNode problem) {
        if (REFUSED_US.contains(answer.status())) {
            // The writer refuses this worker; the client's request is not at fault.
            return unavailable("refuses this worker with status " + answer.status() + "; see writer.token.file");
        }
        List<String> errors = new ArrayList<>();
        problem.path("errors").forEach(error -> errors.add(error.path("detail").asText()));
        if (answer.status() < 400 || answer.status() >= 500) {
            String words = "answered with status " + answer.status()
                    + problem.path("detail").asText("").transform(detail -> detail.isEmpty() ? "" : ": " + detail);
            return problem.path("type").asText().equals(ProblemType.OUTCOME_UNKNOWN.uri())
                    ? unknown(words)
                    : unavailable(words);
        }
        return new ProblemException(new Problem(
                answer.status(),
                problem.path("title").asText("Request refused"),
                problem.path("detail").asText("the writer gave no reason"),
                errors,
                Optional.empty()));
    }

    private JsonNode json(ServiceConnection.Answer answer) {
        try {
            return RowJson.parse(answer.body());
        } catch (BadJsonException e) {
            throw unavailable("gave no usable answer: " + e.getMessage());
        }
    }

    private ProblemException unavailable(String what) {
        return new ProblemException(Problem.retryable(503, "Writer unavailable", named(what), RETRY_AFTER));
    }

    /** A change may have been made. */
    private ProblemException unknown(String what) {
        String detail = named(what) + "; see which version of the catalog is in force before you order it again";
        return new ProblemException(
                Problem.retryable(503, "Outcome unknown", detail, RETRY_AFTER).typed(ProblemType.OUTCOME_UNKNOWN));
    }

    private String named(String what) {
        return "the writer at " + writer + ", which keeps the definitions, " + what;
    }
}
