package dev.tidemark.writer.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import dev.tidemark.facts.FactFrames;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.FactStreamWriter;
import dev.tidemark.http.BodyChunks;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.ProblemType;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.RowRules;

/**
 * Sends a whole table as of one moment. Each stream keeps the data of its moment alive until it ends, so there are few
 * at once.
 */
final class FactsHandler {
    /** Most streams at a time. */
    static final int MOST = 2;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private static final int PIECE_BYTES = 64 * 1024;

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
        call.reserve(COPIES * (PIECE_BYTES + (long) rules.maxRowBytes()));
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

    /**
     * A stream of facts, read and written a few rows at a time. One that is broken off has no end frame, by which its
     * reader knows.
     */
    private static final class FactChunks implements BodyChunks {
        private final FactSnapshot snapshot;
        private final boolean whole;
        private final Runnable release;
        private final Buffer buffer = new Buffer();
        private final FactStreamWriter out;
        private final AtomicBoolean closed = new AtomicBoolean();
        private boolean begun;
        private boolean ended;

        /** Bytes that are sent as they are. */
        private static final class Buffer extends ByteArrayOutputStream {
            Buffer() {
                super(2 * PIECE_BYTES);
            }

            ByteBuffer content() {
                return ByteBuffer.wrap(buf, 0, count);
            }
        }

        /**
         * A stream.
         *
         * @param whole whether the rows themselves are sent
         * @param release run once, when the stream is over
         */
        FactChunks(FactSnapshot snapshot, boolean whole, Runnable release) throws IOException {
            this.snapshot = snapshot;
            this.whole = whole;
            this.release = release;
            CommitPosition point = snapshot.point();
            this.out = new FactStreamWriter(buffer, new FactStreamHead(point.version(), point.time()));
        }

        @Override
        public @Nullable ByteBuffer next() throws IOException {
            if (ended) {
                return null;
            }
            if (begun) {
                buffer.reset();
            }
            begun = true;
            while (!ended && buffer.size() < PIECE_BYTES) {
                add(snapshot.next());
            }
            return buffer.content();
        }

        private void add(@Nullable KeyedRow row) throws IOException {
            if (row == null) {
                out.end();
                ended = true;
            } else if (whole) {
                out.row(row.key(), row.stored().version(), row.stored().row());
            } else {
                out.version(row.key(), row.stored().version());
            }
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                try {
                    snapshot.close();
                } finally {
                    release.run();
                }
            }
        }
    }
}
