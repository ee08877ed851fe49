package dev.tidemark.writer.http;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;

import dev.tidemark.http.DirectAnswer;
import dev.tidemark.http.DirectCall;
import dev.tidemark.http.DirectRequest;
import dev.tidemark.http.Need;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.RowRefusedException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/** The calls on one row. */
final class RowHandlers {
    private static final String JSON = "application/json";

    /** Longer rows are read by threads that may wait for them. */
    private static final int MOST_DIRECT_BYTES = 16 * 1024;

    private final Tables tables;
    private final FactStore store;
    private final Submitter submitter;

    RowHandlers(Tables tables, FactStore store, Submitter submitter) {
        this.tables = tables;
        this.store = store;
        this.submitter = submitter;
    }

    void get(Context context) throws BadInputException {
        RowRules table = tables.table(context);
        KeyBytes key = tables.key(context, table);
        StoredRow found = store.find(table.table().name(), key);
        if (found == null) {
            throw new ProblemException(Problem.notFound("there is no row " + Tables.shown(table, key) + " in table "
                    + table.table().name()));
        }
        context.header("ETag", Conditions.tag(found.version()));
        if (Conditions.alreadyHas(context, found.version())) {
            context.status(304);
        } else {
            context.result(found.row().bytes());
        }
    }

    void put(Context context) throws BadInputException {
        RowRules table = tables.table(context);
        KeyBytes key = tables.key(context, table);
        Requests.requireType(context, JSON);
        byte[] body = Requests.body(context, table.maxRowBytes());
        RowDocument row = accepted(table, key, RowJson.parseObject(body));
        submit(context, table, new WriteCommand.Put(key, row, Conditions.of(context)), row.bytes().length);
    }

    DirectCall directPut() {
        return new DirectCall("PUT", "/v1/tables/*/rows/*", Need.WRITE_ROWS, MOST_DIRECT_BYTES, this::put);
    }

    /** Hands in a plain PUT, to be answered once it is durable. */
    private Optional<CompletionStage<DirectAnswer>> put(DirectRequest request) throws Exception {
        RowRules table = tables.find(request.names().get(0));
        boolean plain = request.type() == null || request.type().equals(JSON);
        if (table == null || !plain || request.body().length > table.maxRowBytes()) {
            return Optional.empty();
        }
        KeyBytes key = Tables.key(List.of(request.names().get(1).split(",", -1)), table);
        RowDocument row = table.acceptAlone(key, RowJson.parseObject(request.body()));
        WriteRequest write = WriteRequest.of(
                table.table().name(),
                new WriteCommand.Put(key, row, Precondition.NONE),
                row.bytes().length + key.length());
        return Optional.of(submitter
                .beginNow(write)
                .handleAsync(
                        (outcomes, failure) ->
                                Outcomes.direct(table.table(), key, outcomes == null ? null : outcomes.get(0), failure),
                        request.later()));
    }

    void patch(Context context) throws BadInputException {
        RowRules table = tables.table(context);
        KeyBytes key = tables.key(context, table);
        Requests.requireType(context, "application/merge-patch+json", JSON);
        byte[] body = Requests.body(context, table.maxRowBytes());
        ObjectNode patch = RowJson.parseObject(body);
        // A tree takes several times the room of its text.
        submit(context, table, new WriteCommand.Patch(key, patch, Conditions.of(context)), 8L * body.length);
    }

    void delete(Context context) throws BadInputException {
        RowRules table = tables.table(context);
        KeyBytes key = tables.key(context, table);
        submit(context, table, new WriteCommand.Delete(key, Conditions.of(context)), 0);
    }

    private void submit(Context context, RowRules table, WriteCommand command, long bytes) {
        WriteRequest request = WriteRequest.of(
                table.table().name(), command, bytes + command.key().length());
        Outcomes.answer(
                context, table.table(), command.key(), submitter.commit(request).get(0));
    }

    private static RowDocument accepted(RowRules table, KeyBytes key, ObjectNode row) {
        try {
            return table.accept(key, row);
        } catch (RowRefusedException e) {
            throw new ProblemException(Outcomes.problem(e));
        }
    }
}
