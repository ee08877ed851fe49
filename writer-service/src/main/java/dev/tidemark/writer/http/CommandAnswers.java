package dev.tidemark.writer.http;

import java.time.Duration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.RowSource;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.JsonBytes;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.RowRefusedException;

/** Converts the outcomes of commands to answers. */
final class CommandAnswers {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private CommandAnswers() {}

    /** Answers a request of one command. */
    static void answer(Call call, TableDefinition table, KeyBytes key, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Written written) {
            call.status(written.created() ? 201 : 200);
            call.header("ETag", RequestPreconditions.tag(written.version()));
            call.result(body(table, written.version(), written.partition(), new WrittenRow(key, false)));
        } else if (outcome instanceof CommitOutcome.Deleted deleted) {
            call.result(body(table, deleted.version(), deleted.partition(), new WrittenRow(key, true)));
        } else {
            throw new ProblemException(problem(table.name(), Tables.shown(table, key), outcome));
        }
    }

    /** The status that a command which was not done would have had alone. */
    static Problem problem(String table, JsonNode key, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.NotFound) {
            return Problem.notFound("there is no row " + key + " in table " + table);
        }
        if (outcome instanceof CommitOutcome.PreconditionFailed failed) {
            String found =
                    failed.current().map(version -> "it has version " + version).orElse("there is none");
            ObjectNode current = RowJson.mapper().createObjectNode();
            current.put("version", failed.current().map(RowVersion::toString).orElse(null));
            return Problem.of(
                            412,
                            "Precondition failed",
                            "expected " + failed.expected() + " at key " + key + " of table " + table + ", but "
                                    + found)
                    .with(current);
        }
        if (outcome instanceof CommitOutcome.Refused refused) {
            return problem(refused.kind(), refused.detail());
        }
        if (outcome instanceof CommitOutcome.Followed followed) {
            return followed(table, followed.source());
        }
        if (outcome instanceof CommitOutcome.NoMemory) {
            return Problem.retryable(
                            503,
                            "Out of memory for requests",
                            "the memory for requests is used up by others; send the change again",
                            RETRY_AFTER)
                    .typed(ProblemType.NO_MEMORY);
        }
        throw new IllegalArgumentException("Expected a command that was not done, but got " + outcome);
    }

    /** A write to a table whose rows come from a source. */
    static Problem followed(String table, RowSource source) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.set("source", DefinitionJson.of(source));
        return Problem.of(
                        409,
                        "Table follows a source",
                        "the rows of table " + table + " come from source " + source
                                + ", and no client may write them; write there")
                .typed(ProblemType.TABLE_FOLLOWS_SOURCE)
                .with(json);
    }

    static Problem problem(RowRefusedException refusal) {
        Problem problem = problem(refusal.kind(), refusal.getMessage());
        return refusal.limit().map(problem::typed).orElse(problem);
    }

    private static Problem problem(RowRefusedException.Kind kind, String detail) {
        return switch (kind) {
            case INVALID -> Problem.badRequest(detail);
            case TOO_LARGE -> Problem.of(413, "Content too large", detail).typed(ProblemType.ROW_TOO_LARGE);
            case TOO_MANY_VALUES -> Problem.badRequest(detail).typed(ProblemType.JSON_TOO_LARGE);
            case NOTHING_TO_KEEP -> Problem.of(422, "Nothing to keep", detail).typed(ProblemType.NOTHING_TO_KEEP);
            case UNINDEXABLE -> Problem.of(422, "Row cannot be indexed", detail).typed(ProblemType.ROW_NOT_INDEXABLE);
        };
    }

    private static byte[] body(TableDefinition table, RowVersion version, int partition, WrittenRow row) {
        return new JsonBytes()
                .raw("{\"key\":")
                .node(Tables.shown(table, row.key()))
                .raw(",\"version\":")
                .text(version.toString())
                .raw(",\"token\":")
                .text(SessionToken.of(table.name(), partition, version, row).encode())
                .raw("}")
                .toBytes();
    }
}
