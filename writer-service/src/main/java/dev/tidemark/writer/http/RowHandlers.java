package dev.tidemark.writer.http;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.http.Call;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.TreeWeight;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.RowRefusedException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/** The calls that write one row. */
record RowHandlers(Tables tables, Submitter submitter) {
    private static final String JSON = "application/json";

    /** Longer rows are read by threads that may wait for them. */
    private static final int MOST_DIRECT_BYTES = 16 * 1024;

    int rowBody(Call call) {
        RowRules table = tables.writable(call);
        Requests.requireType(call, JSON);
        return table.maxRowBytes();
    }

    int patchBody(Call call) {
        RowRules table = tables.writable(call);
        Requests.requireType(call, "application/merge-patch+json", JSON);
        return table.maxRowBytes();
    }

    void put(Call call) throws BadInputException {
        RowRules table = tables.writable(call);
        KeyBytes key = tables.key(call, table);
        WriteCommand.Put put = accepted(table, key, Requests.object(call)).under(RequestPreconditions.of(call));
        submit(call, table, put, put.row().bytes().length);
    }

    /** Hands in a PUT that is short and without conditions, to be answered once it is durable. */
    Optional<CompletionStage<?>> putDirectly(Call call) throws BadInputException {
        if (call.body().length > MOST_DIRECT_BYTES
                || !RequestPreconditions.of(call).equals(Precondition.NONE)) {
            return Optional.empty();
        }
        RowRules table = tables.writable(call);
        KeyBytes key = tables.key(call, table);
        WriteCommand.Put put = table.accept(key, Requests.object(call));
        WriteRequest write = WriteRequest.of(
                        table.table().name(), put, put.row().bytes().length + key.length())
                .checkedBy(table);
        return Optional.of(submitter
                .beginNow(write)
                .handleAsync(
                        (outcomes, failure) -> {
                            if (outcomes == null) {
                                throw new ProblemException(Submitter.problem(failure));
                            }
                            CommandAnswers.answer(call, table.table(), key, outcomes.get(0));
                            return call;
                        },
                        call.later()));
    }

    void patch(Call call) throws BadInputException {
        RowRules table = tables.writable(call);
        KeyBytes key = tables.key(call, table);
        ObjectNode patch = Requests.object(call);
        submit(call, table, new WriteCommand.Patch(key, patch, RequestPreconditions.of(call)), TreeWeight.of(patch));
    }

    void delete(Call call) throws BadInputException {
        RowRules table = tables.writable(call);
        KeyBytes key = tables.key(call, table);
        submit(call, table, new WriteCommand.Delete(key, RequestPreconditions.of(call)), 0);
    }

    private void submit(Call call, RowRules table, WriteCommand command, long bytes) {
        WriteRequest request = WriteRequest.of(
                        table.table().name(), command, bytes + command.key().length())
                .checkedBy(table);
        CommandAnswers.answer(
                call, table.table(), command.key(), submitter.commit(request).get(0));
    }

    private static WriteCommand.Put accepted(RowRules table, KeyBytes key, ObjectNode row) {
        try {
            return table.accept(key, row);
        } catch (RowRefusedException e) {
            throw new ProblemException(CommandAnswers.problem(e));
        }
    }
}
