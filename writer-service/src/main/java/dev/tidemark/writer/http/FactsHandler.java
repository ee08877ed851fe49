package dev.tidemark.writer.http;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

import io.javalin.http.Context;

import dev.tidemark.facts.FactFrames;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.FactStreamWriter;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.ProblemType;
import dev.tidemark.writer.commit.CommitPoint;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;

/**
 * Sends a whole table as of one moment. Each stream keeps the data of its moment alive until it ends, so there are few at
 * once.
 */
final class FactsHandler {
    /** Most streams at a time. */
    static final int MOST = 2;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Tables tables;
    private final FactStore store;
    private final Semaphore streams = new Semaphore(MOST);

    FactsHandler(Tables tables, FactStore store) {
        this.tables = tables;
        this.store = store;
    }

    void stream(Context context) throws IOException {
        String table = tables.table(context).table().name();
        boolean whole = wholeRows(context);
        if (!streams.tryAcquire()) {
            throw new ProblemException(Problem.retryable(
                            429,
                            "Too many streams",
                            "expected at most " + MOST + " streams of facts at a time",
                            RETRY_AFTER)
                    .typed(ProblemType.TOO_MANY_STREAMS));
        }
        try (FactSnapshot snapshot = store.snapshot(table)) {
            context.res().setCharacterEncoding((String) null);
            context.contentType(FactFrames.MEDIA_TYPE);
            // A stream that fails midway has no end frame, by which the reader knows.
            send(snapshot, whole, new BufferedOutputStream(context.outputStream(), BUFFER_BYTES));
        } finally {
            streams.release();
        }
    }

    private static void send(FactSnapshot snapshot, boolean whole, BufferedOutputStream to) throws IOException {
        CommitPoint point = snapshot.point();
        FactStreamWriter out = new FactStreamWriter(to, new FactStreamHead(point.version(), point.time()));
        for (KeyedRow row = snapshot.next(); row != null; row = snapshot.next()) {
            if (whole) {
                out.row(row.key(), row.stored().version(), row.stored().row());
            } else {
                out.version(row.key(), row.stored().version());
            }
        }
        out.end();
    }

    private static boolean wholeRows(Context context) {
        String rows = Requests.parameter(context, "rows").orElse("whole");
        return switch (rows) {
            case "whole" -> true;
            case "versions" -> false;
            default ->
                throw new ProblemException(
                        Problem.badRequest("expected parameter rows to be whole or versions, but got " + rows));
        };
    }
}
