package dev.tidemark.writer.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;

import dev.tidemark.facts.FactFrames;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.ProblemType;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.RowRules;

/**
 * Sends a whole table as of one moment. Each stream keeps the data of its moment alive until it ends, so there are few
 * at once.
 */
final class FactsHandler {
    /** Most streams at a time. */
    static final int MOST = 2;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** A row is held as it is stored, as what the store gave, and, with room for as much again, as the answer. */
    private static final int COPIES = 4;

    private final Tables tables;
    private final FactStore store;
    private final Semaphore streams = new Semaphore(MOST);

    FactsHandler(Tables tables, FactStore store) {
        this.tables = tables;
        this.store = store;
    }

    void stream(Call call) throws IOException {
        RowRules rules = tables.table(call);
        boolean whole = wholeRows(call);
        call.reserve(COPIES * (FactChunks.PIECE_BYTES + (long) rules.maxRowBytes()));
        if (!streams.tryAcquire()) {
            throw new ProblemException(Problem.retryable(
                            429,
                            "Too many streams",
                            "expected at most " + MOST + " streams of facts at a time",
                            RETRY_AFTER)
                    .typed(ProblemType.TOO_MANY_STREAMS));
        }
        call.contentType(FactFrames.MEDIA_TYPE);
        call.result(pieces(rules.table().name(), whole));
    }

    private FactChunks pieces(String table, boolean whole) throws IOException {
        @Nullable FactSnapshot snapshot = null;
        @Nullable FactChunks pieces = null;
        try {
            snapshot = store.snapshot(table);
            pieces = new FactChunks(snapshot, whole, streams::release);
            return pieces;
        } finally {
            if (pieces == null) {
                streams.release();
                if (snapshot != null) {
                    snapshot.close();
                }
            }
        }
    }

    private static boolean wholeRows(Call call) {
        String rows = Requests.parameter(call, "rows").orElse("whole");
        return switch (rows) {
            case "whole" -> true;
            case "versions" -> false;
            default ->
                throw new ProblemException(
                        Problem.badRequest("expected parameter rows to be whole or versions, but got " + rows));
        };
    }
}
